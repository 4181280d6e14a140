package io.strowger.benchmarks;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.plugin.RouterPlugin;
import java.util.List;

/** What a router sees when nothing keeps it from any model, its figures at hand. */
final class OpenMarket implements RouterPlugin.Feasible {
  private final Catalog catalog;
  private final long[] promptPicos; // by model

  OpenMarket(Catalog catalog) {
    this.catalog = catalog;
    this.promptPicos = catalog.models().stream().mapToLong(OpenMarket::promptPicos).toArray();
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
  public int models() {
    return promptPicos.length;
  }

  @Override
  public ModelInfo model(int index) {
    return catalog.models().get(index);
  }

  @Override
  public boolean feasible(int index) {
    return true;
  }

  @Override
  public long price(int index) {
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
  public boolean sticky(int index) {
    return false;
  }

  @Override
  public long chance(int n) {
    return n;
  }

  @Override
  public RouterPlugin.ModelSet matching(List<String> patterns) {
    throw new UnsupportedOperationException("no router that is measured here has patterns");
  }
}
