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
    private final List<PlannedAttempt> candidates;
    private final LazyTrace trace;

    /**
     * @param candidates the attempts in order, at least one; not copied
     * @param traceSupplier pure; called when the trace is read
     */
    public Attempts(List<PlannedAttempt> candidates, Supplier<List<TraceEntry>> traceSupplier) {
      this.candidates = candidates;
      this.trace = new LazyTrace(traceSupplier);
    }

    /** Returns the candidates in the order they are to be tried. */
    public List<PlannedAttempt> candidates() {
      return candidates;
    }

    @Override
    public List<TraceEntry> trace() {
      return trace.get();
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Attempts that
          && hasSameCandidates(that)
          && trace().equals(that.trace());
    }

    private boolean hasSameCandidates(Attempts that) {
      if (candidates.size() != that.candidates.size()) {
        return false;
      }
      for (int i = 0; i < candidates.size(); i++) {
        PlannedAttempt candidate = candidates.get(i);
        PlannedAttempt otherCandidate = that.candidates.get(i);
        if (!candidate.endpoint().id().equals(otherCandidate.endpoint().id())
            || !Objects.equals(candidate.byokKey(), otherCandidate.byokKey())
            || candidate.modelIndex() != otherCandidate.modelIndex()
            || candidate.probe() != otherCandidate.probe()) {
          return false;
        }
      }
      return true;
    }

    @Override
    public int hashCode() {
      int hash = 1;
      for (PlannedAttempt candidate : candidates) {
        hash = hash * 31 + candidate.endpoint().id().hashCode();
      }
      return hash;
    }

    @Override
    public String toString() {
      return candidates.stream().map(c -> c.endpoint().id()).toList().toString();
    }
  }

  /** A plan without attempts, with the error that says why. */
  final class NoRoute implements RoutePlan {
    private final GatewayError error;
    private final @Nullable Usd neededAmount;
    private final LazyTrace trace;

    /**
     * @param error the error the caller receives
     * @param traceSupplier pure; called when the trace is read
     */
    public NoRoute(GatewayError error, Supplier<List<TraceEntry>> traceSupplier) {
      this(error, null, traceSupplier);
    }

    /**
     * @param neededAmount the amount {@link #neededAmount} returns; null when it is not known
     */
    public NoRoute(
        GatewayError error, @Nullable Usd neededAmount, Supplier<List<TraceEntry>> traceSupplier) {
      this.error = error;
      this.neededAmount = neededAmount;
      this.trace = new LazyTrace(traceSupplier);
    }

    /**
     * Returns the least amount that would have paid for the request; null when something other than
     * money was missing, or when the query has BYOK keys.
     */
    public @Nullable Usd neededAmount() {
      return neededAmount;
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
