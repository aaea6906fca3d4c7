"""The box's own menus, made of prompts and answers as the games are."""
