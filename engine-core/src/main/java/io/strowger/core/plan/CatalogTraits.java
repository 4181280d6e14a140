package io.strowger.core.plan;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;

/**
 * Properties of the endpoints and models of a catalog. Those that all endpoints share tell which
 * rules cannot drop any endpoint, so that these rules are skipped; those of single endpoints and
 * models are kept as bits.
 */
final class CatalogTraits {
  /** A bit of {@link #bits}, whose lower 32 bits are those of the quantization. */
  private static final long TRAINS = 1L << 32;

  private static final long RETAINS = 1L << 33;
  private static final long ANY_QUANTIZATION = TRAINS - 1;

  /** Groups of models by author, as the contract names them; the last one is for all others. */
  private static final List<String> ZDR_GROUPS =
      List.of("anthropic", "openai", "google", "xai", "other");

  private final long[] bits; // by Endpoint.ordinal()
  private final long[] parameters; // by Endpoint.ordinal(): accepted parameters, with synonyms
  private final BitTest trains = forbidding(TRAINS);
  private final BitTest retains = forbidding(RETAINS);
  private final byte[] zdrGroups; // by ModelInfo.ordinal(): the bit of a group
  private final BitSet privateModels = new BitSet();
  private final BitSet distillable = new BitSet();
  private final BitSet alwaysReasoning = new BitSet();
  private int kinds;
  private boolean hasTiers;
  private int minContext = Integer.MAX_VALUE;
  private int minOutput = Integer.MAX_VALUE;
  private int commonInputs = -1;
  private int commonOutputs = -1;

  CatalogTraits(Catalog catalog) {
    zdrGroups = new byte[catalog.models().size()];
    for (ModelInfo model : catalog.models()) {
      int ordinal = model.ordinal();
      zdrGroups[ordinal] = (byte) zdrGroupOf(model.id());
      privateModels.set(ordinal, model.isPrivate());
      distillable.set(ordinal, model.distillable());
      alwaysReasoning.set(ordinal, model.reasoning().mandatory());
    }
    bits = new long[catalog.endpoints().size()];
    parameters = new long[bits.length];
    for (Endpoint endpoint : catalog.endpoints()) {
      add(endpoint);
    }
  }

  private void add(Endpoint endpoint) {
    int ordinal = endpoint.ordinal();
    bits[ordinal] =
        endpoint.quantizationBit()
            | (endpoint.provider().trainsOnPrompts() ? TRAINS : 0)
            | (endpoint.provider().retainsPrompts() ? RETAINS : 0);
    parameters[ordinal] = PreferenceRules.parametersOf(endpoint);
    kinds |= 1 << endpoint.kind().ordinal();
    hasTiers |= endpoint.serviceTier() != null;
    minContext = minKnown(minContext, endpoint.contextLength());
    minOutput = minKnown(minOutput, endpoint.maxOutputTokens());
    commonInputs &= endpoint.inputModalities();
    commonOutputs &= endpoint.outputModalities();
  }

  private static int minKnown(int min, int value) {
    return value > 0 ? Math.min(min, value) : min;
  }

  /** A test of an endpoint's bits; several such tests can be combined into one. */
  final class BitTest implements EndpointRule.Test {
    private final long forbidden;
    private final long required;

    private BitTest(long forbidden, long required) {
      this.forbidden = forbidden;
      this.required = required;
    }

    /** Returns the bits of which an endpoint may have none. */
    long forbidden() {
      return forbidden;
    }

    /** Returns the parameters of which an endpoint must take all. */
    long required() {
      return required;
    }

    @Override
    public boolean drops(Endpoint endpoint) {
      return fails(endpoint, forbidden, required);
    }
  }

  /**
   * Returns whether a test of these bits drops the endpoint.
   *
   * @param forbidden the forbidden bits of all tests together
   * @param required the required parameters of all tests together
   */
  boolean fails(Endpoint endpoint, long forbidden, long required) {
    int ordinal = endpoint.ordinal();
    return (bits[ordinal] & forbidden) != 0 || (required & ~parameters[ordinal]) != 0;
  }

  private BitTest forbidding(long forbiddenBits) {
    return new BitTest(forbiddenBits, 0);
  }

  /** Returns a test that drops providers which may train on prompts or whose policy is unknown. */
  BitTest trains() {
    return trains;
  }

  /** Returns a test that drops providers which may keep prompts or whose policy is unknown. */
  BitTest retains() {
    return retains;
  }

  /** Returns a test that drops endpoints whose quantization is not among these bits. */
  BitTest quantizedOtherThan(int levels) {
    return forbidding(ANY_QUANTIZATION & ~(long) levels);
  }

  /** Returns a test that drops endpoints which do not take all of these parameters. */
  BitTest requiringAll(long requiredParameters) {
    return new BitTest(0, requiredParameters);
  }

  /** Returns whether every endpoint is of this kind. */
  boolean hasOnly(Endpoint.Kind kind) {
    return kinds == 1 << kind.ordinal();
  }

  /** Returns whether any endpoint belongs to a service tier. */
  boolean hasTiers() {
    return hasTiers;
  }

  /** Returns the smallest known context length; {@link Integer#MAX_VALUE} when none is known. */
  int minContext() {
    return minContext;
  }

  /** Returns the smallest known output maximum; {@link Integer#MAX_VALUE} when none is known. */
  int minOutput() {
    return minOutput;
  }

  /** Returns the mask of the modalities every endpoint reads. */
  int commonInputs() {
    return commonInputs;
  }

  /** Returns the mask of the modalities every endpoint writes. */
  int commonOutputs() {
    return commonOutputs;
  }

  /**
   * Returns the bit of a model's group; accounts may require zero data retention for the models of
   * some groups only. Routing fact sheet, section 6.
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

  /** Returns the bit of the group of this name, ignoring case; 0 when there is none. */
  static int zdrGroupNamed(String name) {
    int group = ZDR_GROUPS.indexOf(name.toLowerCase(Locale.ROOT));
    return group < 0 ? 0 : 1 << group;
  }

  /** Returns the name of the group with this bit. */
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

  /** Returns whether any model always reasons. */
  boolean hasAlwaysReasoningModels() {
    return !alwaysReasoning.isEmpty();
  }

  boolean alwaysReasons(int model) {
    return alwaysReasoning.get(model);
  }
}
