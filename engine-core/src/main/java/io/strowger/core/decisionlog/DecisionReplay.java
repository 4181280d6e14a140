package io.strowger.core.decisionlog;

import io.strowger.core.plan.Planner;
import io.strowger.core.routing.RouterStep;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.error.ErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes every decision of a log again, from what the log says it was made from, and compares. Only
 * plans are compared: what became of them are facts.
 */
public final class DecisionReplay {
  private record Ready(Catalog catalog, Planner planner) {}

  private final ReplayRouters routers;
  private final Deque<Ready> ready = new ArrayDeque<>();
  private long catalogs;
  private long statistics;
  private long identical;
  private long different;
  private long otherPlugins;
  private long damaged;

  private DecisionReplay(ReplayRouters routers) {
    this.routers = routers;
  }

  /**
   * What was found.
   *
   * @param records what was read
   * @param identical decisions that came out as the log says
   * @param different decisions that did not
   * @param otherPlugins decisions that could not be compared for want of a router
   * @param damaged places that could not be read
   */
  public record Result(
      Records records, long identical, long different, long otherPlugins, long damaged) {
    /** Everything could be read and came out as the log says. */
    public boolean isClean() {
      return different == 0 && otherPlugins == 0 && damaged == 0;
    }
  }

  /** How many records of each kind were read, and how many bytes there were. */
  public record Records(long catalogs, long statistics, long decisions, long bytes) {}

  /** Is told while a replay runs, on its thread. */
  public interface Listener {
    void found(ReplayFinding replayFinding);

    /** A decision was compared. */
    default void progress(long decisions, long bytes) {}
  }

  /**
   * Replays a log from its beginning to its end.
   *
   * @param log not closed
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
    RouterStep other = firstOther(decision);
    LoggedPlan actual = again(decision.made());
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

  /** The first router that took part and is not here as it was. */
  private @Nullable RouterStep firstOther(LogItem.OfDecision decision) {
    for (RouterStep step : decision.made().query().routers()) {
      if (!Objects.equals(step.version(), present(step))) {
        return step;
      }
    }
    return null;
  }

  private @Nullable String present(RouterStep step) {
    return routers.version(step.plugin());
  }

  private LoggedPlan again(LogItem.Made made) {
    try {
      return LoggedPlan.of(planner(made.catalog()).plan(made.query(), made.statistics()));
    } catch (RuntimeException bug) {
      return new LoggedPlan.NoRoute(ErrorCode.INTERNAL, "deciding failed: " + bug);
    }
  }

  /** As many are kept as a log refers to at a time. */
  private Planner planner(Catalog catalog) {
    for (Ready one : ready) {
      if (one.catalog() == catalog) {
        return one.planner();
      }
    }
    var planner = new Planner(catalog, routers.over(catalog));
    ready.addFirst(new Ready(catalog, planner));
    if (ready.size() > CatalogParts.MOST) {
      ready.removeLast();
    }
    return planner;
  }
}
