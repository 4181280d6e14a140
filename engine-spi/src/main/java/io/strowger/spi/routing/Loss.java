package io.strowger.spi.routing;

import java.util.Objects;

/**
 * Something that a request or an answer lost when it was translated into another dialect, or that
 * had to be changed. Recorded in the trace. Immutable; holds no text of the conversation.
 *
 * @param subject the member, part or kind of content, such as {@code seed} or {@code
 *     messages[2].audio}
 * @param kind whether the member or part was dropped or changed
 * @param reason the reason in a few words, for a person
 */
public record Loss(String subject, Kind kind, String reason) {
  /** What happened to the lost part. */
  public enum Kind {
    /** It was removed. */
    DROPPED,
    /** It was replaced by something of the same or nearly the same meaning. */
    CHANGED
  }

  public Loss {
    Objects.requireNonNull(subject, "subject");
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(reason, "reason");
  }
}
