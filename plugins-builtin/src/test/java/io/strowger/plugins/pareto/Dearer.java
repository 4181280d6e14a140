package io.strowger.plugins.pareto;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.plugin.RouterPlugin;
import java.util.List;

/** A view in which one model costs something else than the catalog says. */
record Dearer(RouterPlugin.Feasible view, int place, long picos) implements RouterPlugin.Feasible {
  @Override
  public Catalog catalog() {
    return view.catalog();
  }

  @Override
  public int models() {
    return view.models();
  }

  @Override
  public ModelInfo model(int index) {
    return view.model(index);
  }

  @Override
  public boolean feasible(int index) {
    return view.feasible(index);
  }

  @Override
  public long price(int index) {
    return view.price(index);
  }

  @Override
  public long promptPicos(int index) {
    return index == place ? picos : view.promptPicos(index);
  }

  @Override
  public double throughput(int index) {
    return view.throughput(index);
  }

  @Override
  public boolean sticky(int index) {
    return view.sticky(index);
  }

  @Override
  public long chance(int n) {
    return view.chance(n);
  }

  @Override
  public RouterPlugin.ModelSet matching(List<String> patterns) {
    return view.matching(patterns);
  }
}
