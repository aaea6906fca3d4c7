"""The sounds of liar's dice: `python -m sounds.compose` writes the WAV files from `scores.py`."""
