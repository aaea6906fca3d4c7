"""The presentation of Barney Miller: frames, sentences, sounds, texts for audio mode."""
