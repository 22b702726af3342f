"""How carc is compiled: which modules, their C, the objects, and what is kept between builds."""
