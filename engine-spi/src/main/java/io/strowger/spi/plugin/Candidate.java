package io.strowger.spi.plugin;

import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.UnitPrice;
import java.util.List;

/**
 * One usable model of the {@link Candidates}, as passed to a router's condition. Valid only while
 * the condition runs: the same object then represents the next model.
 */
public final class Candidate {
  private final Candidates candidates;
  private int model;

  Candidate(Candidates candidates) {
    this.candidates = candidates;
  }

  Candidate at(int ordinal) {
    model = ordinal;
    return this;
  }

  public ModelInfo model() {
    return candidates.model(model);
  }

  /** Returns the lowest price of a prompt token, for the prompt size and time of the request. */
  public UnitPrice promptPrice() {
    return new UnitPrice(candidates.promptPicos(model));
  }

  /** Returns the tokens per second of the fastest usable endpoint; -1 when not known. */
  public double throughput() {
    return candidates.throughput(model);
  }

  /** Returns whether a usable endpoint of the model served this conversation before. */
  public boolean isSticky() {
    return candidates.isSticky(model);
  }

  /** Returns the usable endpoints, lowest list price first; never empty. */
  public List<UsableEndpoint> endpoints() {
    return candidates.endpoints(model);
  }

  @Override
  public String toString() {
    return model().id();
  }
}
