package io.strowger.benchmarks;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.Candidates;
import io.strowger.spi.plugin.ModelSet;
import io.strowger.spi.plugin.UsableEndpoint;
import java.util.List;

/** The candidates of a request without restrictions: every model is usable. */
final class UnrestrictedCandidates implements Candidates {
  private final Catalog catalog;
  private final long[] promptPicos; // by model

  UnrestrictedCandidates(Catalog catalog) {
    this.catalog = catalog;
    this.promptPicos =
        catalog.models().stream().mapToLong(UnrestrictedCandidates::promptPicos).toArray();
  }

  private static long promptPicos(ModelInfo model) {
    return model.endpoints().stream()
        .mapToLong(endpoint -> endpoint.pricing().picos(Price.PROMPT))
        .min()
        .orElse(Long.MAX_VALUE);
  }

  @Override
  public Catalog catalog() {
    return catalog;
  }

  @Override
  public Json facts() {
    return Json.Obj.EMPTY;
  }

  @Override
  public List<UsableEndpoint> endpoints(int index) {
    throw new UnsupportedOperationException("no router that is measured here asks for endpoints");
  }

  @Override
  public boolean isUsable(int index) {
    return true;
  }

  @Override
  public long blendedPrice(int index) {
    List<Endpoint> endpoints = model(index).endpoints();
    return endpoints.getFirst().blendedPrice();
  }

  @Override
  public long promptPicos(int index) {
    return promptPicos[index];
  }

  @Override
  public double throughput(int index) {
    return 0;
  }

  @Override
  public boolean isSticky(int index) {
    return false;
  }

  @Override
  public long random(int n) {
    return n;
  }

  @Override
  public ModelSet matching(List<String> patterns) {
    throw new UnsupportedOperationException("no router that is measured here has patterns");
  }
}
