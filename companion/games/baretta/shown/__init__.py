"""The presentation of Baretta: frames, sentences, sounds, and descriptions for audio mode."""
