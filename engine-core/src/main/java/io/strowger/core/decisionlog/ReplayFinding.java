package io.strowger.core.decisionlog;

import org.jspecify.annotations.Nullable;

/** Something a replay has to say about one place in a log. */
public sealed interface ReplayFinding {
  /** Where the record begins, in bytes. */
  long offset();

  /**
   * A decision came out differently.
   *
   * @param id generation id of the call
   * @param expected what the log says
   * @param actual what is decided today
   */
  record Difference(long offset, String id, LoggedPlan expected, LoggedPlan actual)
      implements ReplayFinding {}

  /**
   * A decision cannot be compared, because a router took part that is not here, or is here in
   * another version and decides otherwise.
   *
   * @param id generation id of the call
   * @param plugin id of the router
   * @param recorded its version then
   * @param present its version now; null when it is not here
   */
  record OtherPlugin(
      long offset, String id, String plugin, String recorded, @Nullable String present)
      implements ReplayFinding {}

  /**
   * Something cannot be read; what is behind it is replayed.
   *
   * @param what is wrong, for a person
   */
  record Damage(long offset, String what) implements ReplayFinding {}
}
