package io.strowger.plugins.pareto;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.Candidates;
import io.strowger.spi.plugin.ModelSet;
import io.strowger.spi.plugin.UsableEndpoint;
import java.util.List;

/** A view of candidates in which one model has a price other than that of the catalog. */
record RepricedCandidates(Candidates view, int repricedIndex, long picos) implements Candidates {
  @Override
  public Catalog catalog() {
    return view.catalog();
  }

  @Override
  public Json facts() {
    return view.facts();
  }

  @Override
  public List<UsableEndpoint> endpoints(int index) {
    return view.endpoints(index);
  }

  @Override
  public boolean isUsable(int index) {
    return view.isUsable(index);
  }

  @Override
  public long blendedPrice(int index) {
    return view.blendedPrice(index);
  }

  @Override
  public long promptPicos(int index) {
    return index == repricedIndex ? picos : view.promptPicos(index);
  }

  @Override
  public double throughput(int index) {
    return view.throughput(index);
  }

  @Override
  public boolean isSticky(int index) {
    return view.isSticky(index);
  }

  @Override
  public long random(int n) {
    return view.random(n);
  }

  @Override
  public ModelSet matching(List<String> patterns) {
    return view.matching(patterns);
  }
}
