package io.strowger.core.plan;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import java.util.BitSet;
import java.util.Locale;

/**
 * What all endpoints of a catalog have in common, so that a rule nobody can break need not be asked
 * about each of them; and facts about models as bits.
 */
final class CatalogTraits {
  private final byte[] zdrGroups; // by ModelInfo.ordinal(): the ordinal of a ZdrGroup
  private final BitSet privateModels = new BitSet();
  private final BitSet distillable = new BitSet();
  private boolean tiers;
  private int leastContext = Integer.MAX_VALUE;
  private int leastOutput = Integer.MAX_VALUE;
  private int inputs = -1;
  private int outputs = -1;

  /** Whose models an account's zero data retention is about. */
  enum ZdrGroup {
    ANTHROPIC,
    OPENAI,
    GOOGLE,
    XAI,
    OTHER;

    int bit() {
      return 1 << ordinal();
    }

    /** The group of a model, by its author. */
    static ZdrGroup of(String modelId) {
      int slash = modelId.indexOf('/');
      return switch (slash < 0 ? "" : modelId.substring(0, slash).toLowerCase(Locale.ROOT)) {
        case "anthropic" -> ANTHROPIC;
        case "openai" -> OPENAI;
        case "google" -> GOOGLE;
        case "x-ai", "xai" -> XAI;
        default -> OTHER;
      };
    }

    String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  CatalogTraits(Catalog catalog) {
    zdrGroups = new byte[catalog.models().size()];
    for (ModelInfo model : catalog.models()) {
      int place = model.ordinal();
      zdrGroups[place] = (byte) ZdrGroup.of(model.id()).ordinal();
      privateModels.set(place, model.isPrivate());
      distillable.set(place, model.distillable());
    }
    for (Endpoint endpoint : catalog.endpoints()) {
      add(endpoint);
    }
  }

  private void add(Endpoint endpoint) {
    tiers |= endpoint.serviceTier() != null;
    leastContext = lesser(leastContext, endpoint.contextLength());
    leastOutput = lesser(leastOutput, endpoint.maxOutputTokens());
    inputs &= endpoint.inputModalities();
    outputs &= endpoint.outputModalities();
  }

  private static int lesser(int least, int known) {
    return known > 0 ? Math.min(least, known) : least;
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

  ZdrGroup zdrGroup(int model) {
    return ZdrGroup.values()[zdrGroups[model]];
  }

  /** The group of a model as a bit. */
  int zdrBit(int model) {
    return 1 << zdrGroups[model];
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
}
