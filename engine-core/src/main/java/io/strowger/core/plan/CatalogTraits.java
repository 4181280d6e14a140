package io.strowger.core.plan;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;

/**
 * What all endpoints of a catalog have in common, so that a rule nobody can break need not be asked
 * about each of them; and facts about models as bits.
 */
final class CatalogTraits {
  /** Bits of {@link #bits}; those below are of the quantization. */
  private static final long TRAINS = 1L << 32;

  private static final long RETAINS = 1L << 33;
  private static final long ANY_QUANTIZATION = TRAINS - 1;

  /** Groups of models by their author, in the words of the contract; the last is all others. */
  private static final List<String> ZDR_GROUPS =
      List.of("anthropic", "openai", "google", "xai", "other");

  private final long[] bits; // by Endpoint.ordinal()
  private final long[] parameters; // by Endpoint.ordinal(): those an endpoint takes, in any words
  private final BitTest trains = forbidding(TRAINS);
  private final BitTest retains = forbidding(RETAINS);
  private final byte[] zdrGroups; // by ModelInfo.ordinal(): the bit of a group
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
      zdrGroups[place] = (byte) zdrGroupOf(model.id());
      privateModels.set(place, model.isPrivate());
      distillable.set(place, model.distillable());
      reasoners.set(place, model.reasoning().mandatory());
    }
    bits = new long[catalog.endpoints().size()];
    parameters = new long[bits.length];
    for (Endpoint endpoint : catalog.endpoints()) {
      add(endpoint);
    }
  }

  private void add(Endpoint endpoint) {
    int place = endpoint.ordinal();
    bits[place] =
        endpoint.quantizationBit()
            | (endpoint.provider().trainsOnPrompts() ? TRAINS : 0)
            | (endpoint.provider().retainsPrompts() ? RETAINS : 0);
    parameters[place] = PreferenceChecks.parametersOf(endpoint);
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

  /** A test of the bits of an endpoint; several of them come to one. */
  final class BitTest implements EndpointRule.Test {
    private final long forbidden;
    private final long required;

    private BitTest(long forbidden, long required) {
      this.forbidden = forbidden;
      this.required = required;
    }

    /** Bits none of which an endpoint may have. */
    long forbidden() {
      return forbidden;
    }

    /** Parameters all of which an endpoint must take. */
    long required() {
      return required;
    }

    @Override
    public boolean drops(Endpoint endpoint) {
      return fails(endpoint, forbidden, required);
    }
  }

  /**
   * Whether a test of bits drops the endpoint.
   *
   * @param forbidden of all tests together
   * @param required of all tests together
   */
  boolean fails(Endpoint endpoint, long forbidden, long required) {
    int place = endpoint.ordinal();
    return (bits[place] & forbidden) != 0 || (required & ~parameters[place]) != 0;
  }

  private BitTest forbidding(long any) {
    return new BitTest(any, 0);
  }

  /** Drops endpoints whose provider may train on prompts, or whose policy is not known. */
  BitTest trains() {
    return trains;
  }

  /** Drops endpoints whose provider may keep prompts, or whose policy is not known. */
  BitTest retains() {
    return retains;
  }

  /** Drops endpoints of other quantizations than these. */
  BitTest quantizedOtherThan(int levels) {
    return forbidding(ANY_QUANTIZATION & ~(long) levels);
  }

  /** Drops endpoints that do not take all of these parameters. */
  BitTest requiringAll(long allOf) {
    return new BitTest(0, allOf);
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

  /**
   * The bit of the group a model belongs to, for accounts that want zero data retention for the
   * models of some. Routing fact sheet, section 6.
   */
  int zdrGroup(int model) {
    return zdrGroups[model];
  }

  private static int zdrGroupOf(String modelId) {
    int slash = modelId.indexOf('/');
    String author = modelId.substring(0, Math.max(0, slash)).toLowerCase(Locale.ROOT);
    int group = ZDR_GROUPS.indexOf(author.equals("x-ai") ? "xai" : author);
    return 1 << (group < 0 ? ZDR_GROUPS.size() - 1 : group);
  }

  /** The bit of the group of this name; 0 when there is none. */
  static int zdrGroupNamed(String name) {
    int group = ZDR_GROUPS.indexOf(name.toLowerCase(Locale.ROOT));
    return group < 0 ? 0 : 1 << group;
  }

  /** The name of a group. */
  static String zdrGroupName(int bit) {
    return ZDR_GROUPS.get(Integer.numberOfTrailingZeros(bit));
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
