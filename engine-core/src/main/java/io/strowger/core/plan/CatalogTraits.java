package io.strowger.core.plan;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import java.util.BitSet;

/**
 * What all endpoints of a catalog have in common, so that a rule nobody can break need not be asked
 * about each of them; and facts about models as bits.
 */
final class CatalogTraits {
  private final byte[] zdrGroups; // by ModelInfo.ordinal(): a bit of ZdrGroups
  private final BitSet privateModels = new BitSet();
  private final BitSet distillable = new BitSet();
  private final BitSet reasoners = new BitSet();
  private int kinds;
  private boolean tiers;
  private int leastContext = Integer.MAX_VALUE;
  private int leastOutput = Integer.MAX_VALUE;
  private int inputs = -1;
  private int outputs = -1;

  CatalogTraits(Catalog catalog) {
    zdrGroups = new byte[catalog.models().size()];
    for (ModelInfo model : catalog.models()) {
      int place = model.ordinal();
      zdrGroups[place] = (byte) ZdrGroups.bitOf(model.id());
      privateModels.set(place, model.isPrivate());
      distillable.set(place, model.distillable());
      reasoners.set(place, model.reasoning().mandatory());
    }
    for (Endpoint endpoint : catalog.endpoints()) {
      add(endpoint);
    }
  }

  private void add(Endpoint endpoint) {
    kinds |= 1 << endpoint.kind().ordinal();
    tiers |= endpoint.serviceTier() != null;
    leastContext = lesser(leastContext, endpoint.contextLength());
    leastOutput = lesser(leastOutput, endpoint.maxOutputTokens());
    inputs &= endpoint.inputModalities();
    outputs &= endpoint.outputModalities();
  }

  private static int lesser(int least, int known) {
    return known > 0 ? Math.min(least, known) : least;
  }

  /** Every endpoint is of this kind. */
  boolean isAll(Endpoint.Kind kind) {
    return kinds == 1 << kind.ordinal();
  }

  /** There are endpoints of a service tier. */
  boolean hasTiers() {
    return tiers;
  }

  /** The least context length that is known; the largest number when none is. */
  int leastContext() {
    return leastContext;
  }

  /** The least maximum of output tokens that is known; the largest number when none is. */
  int leastOutput() {
    return leastOutput;
  }

  /** Modalities every endpoint reads. */
  int inputs() {
    return inputs;
  }

  /** Modalities every endpoint writes. */
  int outputs() {
    return outputs;
  }

  /** The group of a model, a bit of {@link ZdrGroups}. */
  int zdrGroup(int model) {
    return zdrGroups[model];
  }

  boolean hasPrivateModels() {
    return !privateModels.isEmpty();
  }

  boolean isPrivate(int model) {
    return privateModels.get(model);
  }

  boolean isDistillable(int model) {
    return distillable.get(model);
  }

  /** There are models that cannot but reason. */
  boolean hasReasoners() {
    return !reasoners.isEmpty();
  }

  boolean alwaysReasons(int model) {
    return reasoners.get(model);
  }
}
