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
  private long incomparable;
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
   * @param incomparable number of decisions not comparable because a router is missing or changed
   * @param damaged number of places in the log that could not be read
   */
  public record Result(
      Records records, long identical, long different, long incomparable, long damaged) {
    /** Returns whether everything could be read and came out as recorded. */
    public boolean isClean() {
      return different == 0 && incomparable == 0 && damaged == 0;
    }
  }

  /** The number of records of each kind that were read, and the number of bytes. */
  public record Records(long catalogs, long statistics, long decisions, long bytes) {}

  /** Receives the findings of a replay while it runs, on its thread. */
  public interface Listener {
    void onFinding(ReplayFinding replayFinding);

    /** Called after each compared decision with the totals so far. */
    default void onProgress(long decisions, long bytes) {}
  }

  /**
   * Replays a log from its beginning to its end, and returns the result.
   *
   * @param log the log; this method does not close it
   * @throws IOException when the stream cannot be read
   */
  public static Result replayLog(InputStream log, ReplayRouters routers, Listener listener)
      throws IOException {
    return new DecisionReplay(routers).run(new DecisionLogReader(log), listener);
  }

  private Result run(DecisionLogReader reader, Listener listener) throws IOException {
    long decisions = 0;
    LogItem item;
    while ((item = reader.next()) != null) {
      switch (item) {
        case LogItem.CatalogItem ignored -> catalogs++;
        case LogItem.StatisticsItem ignored -> statistics++;
        case LogItem.Damage(var offset, var description) -> {
          damaged++;
          listener.onFinding(new ReplayFinding.Damage(offset, description));
        }
        case LogItem.DecisionItem decision -> {
          decisions++;
          ReplayFinding replayFinding = compare(decision);
          if (replayFinding != null) {
            listener.onFinding(replayFinding);
          }
          listener.onProgress(decisions, reader.offset());
        }
      }
    }
    var records = new Records(catalogs, statistics, decisions, reader.offset());
    return new Result(records, identical, different, incomparable, damaged);
  }

  private @Nullable ReplayFinding compare(LogItem.DecisionItem decision) {
    RouterStep mismatch = routers.firstMismatch(decision.inputs().query());
    LoggedPlan actual = replay(decision.inputs());
    if (decision.plan().sameAs(actual) && (mismatch == null || presentVersion(mismatch) != null)) {
      identical++;
      return null;
    }
    if (mismatch != null) {
      incomparable++;
      return new ReplayFinding.Incomparable(
          decision.offset(),
          decision.id(),
          mismatch.plugin(),
          mismatch.version(),
          presentVersion(mismatch));
    }
    different++;
    return new ReplayFinding.Difference(decision.offset(), decision.id(), decision.plan(), actual);
  }

  private @Nullable String presentVersion(RouterStep step) {
    return routers.version(step.plugin());
  }

  private LoggedPlan replay(LogItem.DecisionInputs decisionInputs) {
    try {
      return LoggedPlan.of(
          planners
              .forCatalog(decisionInputs.catalog())
              .plan(decisionInputs.query(), decisionInputs.statistics()));
    } catch (RuntimeException bug) {
      return new LoggedPlan.NoRoute(ErrorCode.INTERNAL, "deciding failed: " + bug);
    }
  }
}
