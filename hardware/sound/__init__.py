"""The loudspeaker: sounds, voices and speech engines."""
