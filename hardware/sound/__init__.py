"""The loudspeaker: sounds, voices and the engines that speak."""
