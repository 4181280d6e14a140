package io.strowger.core.routing;

/**
 * What a request for speech needs of an endpoint; holds none of its text.
 *
 * @param characters the Unicode characters to speak; at least 0
 * @param multiSpeaker whether the text consists of turns of several speakers
 * @param format the audio format, such as {@code mp3}
 */
public record SpeechRequirements(long characters, boolean multiSpeaker, String format) {}
