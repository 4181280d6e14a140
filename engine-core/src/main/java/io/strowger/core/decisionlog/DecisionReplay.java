package io.strowger.core.decisionlog;

import io.strowger.core.routing.RouterStep;
import io.strowger.spi.error.ErrorCode;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Repeats every decision of a log from its recorded inputs and compares the plans. The outcomes of
 * the calls are not compared, because a replay sends no requests.
 */
public final class DecisionReplay {
  private final ReplayRouters routers;
  private final ReplayPlanners planners;
  private long catalogs;
  private long statistics;
  private long identical;
  private long different;
  private long otherPlugins;
  private long damaged;

  private DecisionReplay(ReplayRouters routers) {
    this.routers = routers;
    this.planners = new ReplayPlanners(routers);
  }

  /**
   * The result of a replay.
   *
   * @param records how many records were read, by kind
   * @param identical number of decisions that came out as recorded
   * @param different number of decisions that came out differently
   * @param otherPlugins number of decisions not comparable because a router is missing or changed
   * @param damaged number of places in the log that could not be read
   */
  public record Result(
      Records records, long identical, long different, long otherPlugins, long damaged) {
    /** Returns whether everything could be read and came out as recorded. */
    public boolean isClean() {
      return different == 0 && otherPlugins == 0 && damaged == 0;
    }
  }

  /** The number of records of each kind that were read, and of bytes. */
  public record Records(long catalogs, long statistics, long decisions, long bytes) {}

  /** Receives the findings of a replay while it runs, on its thread. */
  public interface Listener {
    void found(ReplayFinding replayFinding);

    /** Called after each compared decision with the totals so far. */
    default void progress(long decisions, long bytes) {}
  }

  /**
   * Replays a log from its beginning to its end, and returns the result.
   *
   * @param log the log; this method does not close it
   * @throws IOException when the stream cannot be read
   */
  public static Result of(InputStream log, ReplayRouters routers, Listener listener)
      throws IOException {
    return new DecisionReplay(routers).run(new DecisionLogReader(log), listener);
  }

  private Result run(DecisionLogReader reader, Listener listener) throws IOException {
    long decisions = 0;
    LogItem item;
    while ((item = reader.next()) != null) {
      switch (item) {
        case LogItem.OfCatalog read -> catalogs++;
        case LogItem.OfStatistics read -> statistics++;
        case LogItem.Damage(var offset, var what) -> {
          damaged++;
          listener.found(new ReplayFinding.Damage(offset, what));
        }
        case LogItem.OfDecision decision -> {
          decisions++;
          ReplayFinding replayFinding = compare(decision);
          if (replayFinding != null) {
            listener.found(replayFinding);
          }
          listener.progress(decisions, reader.offset());
        }
      }
    }
    var records = new Records(catalogs, statistics, decisions, reader.offset());
    return new Result(records, identical, different, otherPlugins, damaged);
  }

  private @Nullable ReplayFinding compare(LogItem.OfDecision decision) {
    RouterStep other = routers.firstMissing(decision.made().query());
    LoggedPlan actual = replay(decision.made());
    if (decision.plan().sameAs(actual) && (other == null || present(other) != null)) {
      identical++;
      return null;
    }
    if (other != null) {
      otherPlugins++;
      return new ReplayFinding.OtherPlugin(
          decision.offset(), decision.id(), other.plugin(), other.version(), present(other));
    }
    different++;
    return new ReplayFinding.Difference(decision.offset(), decision.id(), decision.plan(), actual);
  }

  private @Nullable String present(RouterStep step) {
    return routers.version(step.plugin());
  }

  private LoggedPlan replay(LogItem.DecisionInputs decisionInputs) {
    try {
      return LoggedPlan.of(
          planners
              .over(decisionInputs.catalog())
              .plan(decisionInputs.query(), decisionInputs.statistics()));
    } catch (RuntimeException bug) {
      return new LoggedPlan.NoRoute(ErrorCode.INTERNAL, "deciding failed: " + bug);
    }
  }
}
