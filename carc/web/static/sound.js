// Short tones, off until somebody asks for them.
"use strict";

const TONES = { place: [330], turn: [523, 659], gain: [784, 988] }; // hertz
const LENGTH = 0.12, LOUDNESS = 0.06;
let context = null, on = false;

const remember = (value) => { try { localStorage.setItem("sound", value ? "on" : "off"); } catch { /* not allowed */ } };
const remembered = () => { try { return localStorage.getItem("sound") === "on"; } catch { return false; } };

export const play = (name) => {
  if (!on) return;
  context ??= new AudioContext();
  TONES[name].forEach((frequency, number) => {
    const at = context.currentTime + number * LENGTH;
    const tone = context.createOscillator(), loudness = context.createGain();
    tone.frequency.value = frequency;
    loudness.gain.setValueAtTime(LOUDNESS, at);
    loudness.gain.exponentialRampToValueAtTime(0.001, at + LENGTH);
    tone.connect(loudness).connect(context.destination);
    tone.start(at);
    tone.stop(at + LENGTH);
  });
};

export const setUpSound = (button) => {
  if (!window.AudioContext) return;
  const show = () => {
    button.setAttribute("aria-pressed", on);
    button.textContent = on ? "Sound: on" : "Sound: off";
  };
  on = remembered();
  button.hidden = false;
  show();
  button.addEventListener("click", () => {
    on = !on;
    remember(on);
    show();
    play("turn");
  });
};
