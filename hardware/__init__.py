"""What a box can touch: its ports, and what implements them on a Raspberry Pi and on a computer."""
