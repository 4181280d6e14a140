package com.example;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.plugin.Candidates;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.RouterPlugin;
import io.strowger.spi.plugin.Selection;
import java.util.List;

/** Chooses the cheapest model; among equals the first by name. */
public final class CheapestRouter implements PluginProvider {
  @Override
  public Descriptor descriptor() {
    return Descriptor.router("cheapest").slug("example/cheapest").build();
  }

  @Override
  public Plugin create(PluginConfig config, Catalog catalog) {
    RouterPlugin router = CheapestRouter::select;
    return router;
  }

  private static Selection select(Candidates candidates) {
    int best = -1;
    for (int i = 0; i < candidates.size(); i++) {
      if (candidates.isUsable(i) && (best < 0 || isBefore(candidates, i, best))) {
        best = i;
      }
    }
    return best < 0
        ? Selection.refusal("No model may be used")
        : new Selection.Models(List.of(candidates.model(best).id()), "the cheapest");
  }

  private static boolean isBefore(Candidates candidates, int one, int other) {
    int prices = Long.compare(candidates.blendedPrice(one), candidates.blendedPrice(other));
    return prices < 0
        || prices == 0 && candidates.model(one).id().compareTo(candidates.model(other).id()) < 0;
  }
}
