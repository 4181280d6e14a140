package io.strowger.spi.routing;

import java.util.Objects;

/**
 * Something that a request or an answer lost when it was translated into another dialect, or that
 * had to be changed. Recorded in the trace. Immutable; holds no text of the conversation.
 *
 * @param what which member, part or kind of content, such as {@code seed} or {@code
 *     messages[2].audio}
 * @param kind what became of it
 * @param why in a few words, for a person
 */
public record Loss(String what, Kind kind, String why) {
  /** What happened to the lost part. */
  public enum Kind {
    /** It is not there any more. */
    DROPPED,
    /** It says the same in another way, or nearly the same. */
    CHANGED
  }

  public Loss {
    Objects.requireNonNull(what, "what");
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(why, "why");
  }
}
