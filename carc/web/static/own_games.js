// The games that this browser plays. Their links are secret, so only the browser remembers them.
"use strict";

const MOST = 12;

export const ownGames = () => {
  try { return JSON.parse(localStorage.getItem("games")) || []; } catch { return []; }
};

const save = (games) => { try { localStorage.setItem("games", JSON.stringify(games)); } catch { /* not allowed */ } };

export const forget = (address) => save(ownGames().filter((game) => game.address !== address));

export const remember = (address, title) => save([{ address, title }, ...ownGames().filter((game) => game.address !== address)].slice(0, MOST));
