package io.strowger.core.routing;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.routing.TraceEntry;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The whole output of a routing decision: what to try in which order, or why there is nothing to
 * try, and the facts that explain it. Equal queries over equal catalogs give equal plans.
 * Immutable.
 */
public sealed interface RoutePlan {
  /** Returns what each rule dropped and how the rest was ranked. Built when first read. */
  List<TraceEntry> trace();

  /** A plan with at least one attempt. */
  final class Attempts implements RoutePlan {
    private final List<PlannedAttempt> inOrder;
    private final LazyTrace trace;

    /**
     * @param inOrder the attempts in order, at least one; not copied
     * @param explain pure; called when the trace is read
     */
    public Attempts(List<PlannedAttempt> inOrder, Supplier<List<TraceEntry>> explain) {
      this.inOrder = inOrder;
      this.trace = new LazyTrace(explain);
    }

    /** Returns the candidates in the order they are to be tried. */
    public List<PlannedAttempt> inOrder() {
      return inOrder;
    }

    @Override
    public List<TraceEntry> trace() {
      return trace.get();
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Attempts that && sameCandidates(that) && trace().equals(that.trace());
    }

    private boolean sameCandidates(Attempts that) {
      if (inOrder.size() != that.inOrder.size()) {
        return false;
      }
      for (int i = 0; i < inOrder.size(); i++) {
        PlannedAttempt mine = inOrder.get(i);
        PlannedAttempt theirs = that.inOrder.get(i);
        if (!mine.endpoint().id().equals(theirs.endpoint().id())
            || !Objects.equals(mine.byokKey(), theirs.byokKey())
            || mine.model() != theirs.model()
            || mine.probe() != theirs.probe()) {
          return false;
        }
      }
      return true;
    }

    @Override
    public int hashCode() {
      int hash = 1;
      for (PlannedAttempt candidate : inOrder) {
        hash = hash * 31 + candidate.endpoint().id().hashCode();
      }
      return hash;
    }

    @Override
    public String toString() {
      return inOrder.stream().map(c -> c.endpoint().id()).toList().toString();
    }
  }

  /** A plan without attempts, with the error that says why. */
  final class NoRoute implements RoutePlan {
    private final GatewayError error;
    private final @Nullable Usd needed;
    private final LazyTrace trace;

    /**
     * @param error the error the caller receives
     * @param explain pure; called when the trace is read
     */
    public NoRoute(GatewayError error, Supplier<List<TraceEntry>> explain) {
      this(error, null, explain);
    }

    /**
     * @param needed the amount {@link #needed} returns; null when it is not known
     */
    public NoRoute(GatewayError error, @Nullable Usd needed, Supplier<List<TraceEntry>> explain) {
      this.error = Objects.requireNonNull(error, "error");
      this.needed = needed;
      this.trace = new LazyTrace(explain);
    }

    /**
     * Returns the least amount that would have paid for the request; null when something other than
     * money was missing, or when the query has BYOK keys.
     */
    public @Nullable Usd needed() {
      return needed;
    }

    /** Returns the error the caller receives. */
    public GatewayError error() {
      return error;
    }

    @Override
    public List<TraceEntry> trace() {
      return trace.get();
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof NoRoute that
          && error.toString().equals(that.error.toString())
          && trace().equals(that.trace());
    }

    @Override
    public int hashCode() {
      return error.code().hashCode();
    }

    @Override
    public String toString() {
      return error.toString();
    }
  }
}
