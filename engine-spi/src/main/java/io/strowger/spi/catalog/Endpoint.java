package io.strowger.spi.catalog;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A model as one provider serves it: with its own prices, limits and supported parameters.
 * Immutable; what routing compares is precomputed as masks and {@code long} prices.
 *
 * <p>The id, {@code model@tag}, is unique in a {@link Catalog}.
 */
public final class Endpoint {
  /** The audio formats of a speech endpoint whose configuration names none. */
  public static final List<String> DEFAULT_AUDIO_FORMATS = List.of("mp3", "pcm");

  private static final long CHARACTERS_PER_TOKEN = 4;

  private final String id;
  private final String model;
  private final String tag;
  private final ProviderInfo provider;
  private final String upstreamModel;
  private final Kind kind;
  private final Pricing pricing;
  private final int contextLength;
  private final int maxOutputTokens;
  private final int maxMessages;
  private final String quantization;
  private final int quantizationBit;
  private final long parameters;
  private final int inputModalities;
  private final int outputModalities;
  private final boolean multiSpeaker;
  private final List<String> audioFormats;
  private final @Nullable String serviceTier;
  private final double assumedThroughput;
  private final double assumedLatencyMs;
  private final long blendedPrice;
  private final int providerOrdinal;
  private final int tagOrdinal;
  private final int modelOrdinal;
  private final int ordinal;

  /** The kind of request that an endpoint serves. */
  public enum Kind {
    CHAT,
    SPEECH,
    EMBEDDINGS,
    /** Orders documents by how well they answer a query. */
    RERANK,
    /** Creates images from a description. */
    IMAGES,
    /** Transcribes the speech in a recording. */
    TRANSCRIPTIONS;

    /**
     * Returns the unit that endpoints of this kind are priced by besides tokens and requests; null
     * when there is none, and for speech, whose characters are a part of its prompt.
     */
    public @Nullable Price unit() {
      return switch (this) {
        case CHAT, SPEECH, EMBEDDINGS -> null;
        case RERANK -> Price.SEARCH_UNITS;
        case IMAGES -> Price.IMAGE;
        case TRANSCRIPTIONS -> Price.SECONDS;
      };
    }
  }

  private Endpoint(
      Builder builder, int providerOrdinal, int tagOrdinal, int modelOrdinal, int ordinal) {
    this.model = builder.model;
    this.provider = builder.provider;
    this.tag = builder.tag == null ? builder.provider.slug() : builder.tag;
    this.id = model + "@" + tag;
    this.upstreamModel = builder.upstreamModel == null ? builder.model : builder.upstreamModel;
    this.kind = builder.kind;
    this.pricing = builder.pricing;
    this.contextLength = builder.contextLength;
    this.maxOutputTokens = builder.maxOutputTokens;
    this.maxMessages = builder.maxMessages;
    this.quantization = builder.quantization;
    this.quantizationBit =
        Quantization.ofWireName(builder.quantization).orElse(Quantization.UNKNOWN).bit();
    this.parameters = builder.parameters;
    this.inputModalities = builder.inputModalities;
    this.outputModalities = builder.outputModalities;
    this.multiSpeaker = builder.multiSpeaker;
    this.audioFormats = List.copyOf(builder.audioFormats);
    this.serviceTier = builder.serviceTier;
    this.assumedThroughput = builder.assumedThroughput;
    this.assumedLatencyMs = builder.assumedLatencyMs;
    this.blendedPrice = computeBlendedPrice(builder.pricing, builder.kind);
    this.providerOrdinal = providerOrdinal;
    this.tagOrdinal = tagOrdinal;
    this.modelOrdinal = modelOrdinal;
    this.ordinal = ordinal;
  }

  /**
   * Computes {@link #blendedPrice()}. The prices of a request and of a unit are spread over a
   * thousand tokens; the four tokens of the blend bear 1/250 of them.
   */
  private static long computeBlendedPrice(Pricing pricing, Kind kind) {
    long tokens =
        Math.addExact(
            Math.multiplyExact(3, pricing.picos(Price.PROMPT)), pricing.picos(Price.COMPLETION));
    Price unit = kind.unit();
    long units = unit == null ? 0 : pricing.picos(unit) / 250;
    long otherPrice =
        Math.addExact(Math.addExact(tokens, pricing.picos(Price.REQUEST) / 250), units);
    long characters = pricing.picos(Price.CHARACTERS);
    long factor = 3 * CHARACTERS_PER_TOKEN;
    long limit = Long.MAX_VALUE - otherPrice;
    return characters > limit / factor ? Long.MAX_VALUE : otherPrice + factor * characters;
  }

  /** Returns the same endpoint with its indexes in a catalog. */
  Endpoint withIndexes(int providerIndex, int tagIndex, int modelIndex, int index) {
    return new Endpoint(toBuilder(), providerIndex, tagIndex, modelIndex, index);
  }

  /** Returns the id, {@code model@tag}. */
  public String id() {
    return id;
  }

  public String model() {
    return model;
  }

  /** Returns the endpoint's own name, such as {@code alpha} or {@code alpha/turbo}. */
  public String tag() {
    return tag;
  }

  public ProviderInfo provider() {
    return provider;
  }

  /** Returns the provider's name for the model. */
  public String upstreamModel() {
    return upstreamModel;
  }

  public Kind kind() {
    return kind;
  }

  public Pricing pricing() {
    return pricing;
  }

  /** Returns the most tokens of prompt and output together; 0 when not known. */
  public int contextLength() {
    return contextLength;
  }

  /** Returns the most output tokens; 0 when not known. */
  public int maxOutputTokens() {
    return maxOutputTokens;
  }

  /** Returns the most messages of one request; 0 when not known. */
  public int maxMessages() {
    return maxMessages;
  }

  /** Returns {@code fp8}, {@code int4} ...; {@code unknown} when not known. */
  public String quantization() {
    return quantization;
  }

  /** Returns {@link Quantization#bit()} of the level; that of {@code UNKNOWN} for other words. */
  public int quantizationBit() {
    return quantizationBit;
  }

  /** Returns the mask of the {@link Parameter#bit()} of each supported parameter. */
  public long parameterMask() {
    return parameters;
  }

  public boolean supports(Parameter parameter) {
    return (parameters & parameter.bit()) != 0;
  }

  /** Returns the mask of the {@link Modality#bit()} of each kind of input. */
  public int inputModalities() {
    return inputModalities;
  }

  public int outputModalities() {
    return outputModalities;
  }

  /** Returns whether a speech endpoint can speak a text with a voice of its own for each turn. */
  public boolean multiSpeaker() {
    return multiSpeaker;
  }

  /**
   * Returns the audio formats that a speech endpoint produces, in lower case, such as {@code mp3}
   * and {@code pcm}.
   */
  public List<String> audioFormats() {
    return audioFormats;
  }

  /** Returns {@code priority} or {@code flex}; null for the default tier. */
  public @Nullable String serviceTier() {
    return serviceTier;
  }

  /** Returns the tokens per second to assume before there are measurements; 0 when not known. */
  public double assumedThroughput() {
    return assumedThroughput;
  }

  /**
   * Returns the milliseconds to the first token to assume before there are measurements; 0 when not
   * known.
   */
  public double assumedLatencyMs() {
    return assumedLatencyMs;
  }

  /**
   * Returns one figure to compare prices by, in quarters of a picodollar: the price of three prompt
   * tokens and one output token, plus 1/250 of the prices of a request and of the {@linkplain
   * Kind#unit() unit of the kind}. Four characters, where they are priced, count as a prompt token.
   * The ratio of 3 to 1 is a convention of this engine.
   */
  public long blendedPrice() {
    return blendedPrice;
  }

  /** Returns the provider's index in the catalog; -1 outside of a catalog. */
  public int providerOrdinal() {
    return providerOrdinal;
  }

  /** Returns the tag's index in the catalog, the same for equal tags; -1 outside of a catalog. */
  public int tagOrdinal() {
    return tagOrdinal;
  }

  /** Returns the index of the endpoint's model in the catalog; -1 outside of a catalog. */
  public int modelOrdinal() {
    return modelOrdinal;
  }

  /** Returns the endpoint's index in the catalog; -1 outside of a catalog. */
  public int ordinal() {
    return ordinal;
  }

  @Override
  public String toString() {
    return id();
  }

  public static Builder builder(String model, ProviderInfo provider) {
    return new Builder(model, provider);
  }

  public Builder toBuilder() {
    Builder copy = new Builder(model, provider);
    copy.tag = tag;
    copy.upstreamModel = upstreamModel;
    copy.kind = kind;
    copy.pricing = pricing;
    copy.contextLength = contextLength;
    copy.maxOutputTokens = maxOutputTokens;
    copy.maxMessages = maxMessages;
    copy.quantization = quantization;
    copy.parameters = parameters;
    copy.inputModalities = inputModalities;
    copy.outputModalities = outputModalities;
    copy.multiSpeaker = multiSpeaker;
    copy.audioFormats = audioFormats;
    copy.serviceTier = serviceTier;
    copy.assumedThroughput = assumedThroughput;
    copy.assumedLatencyMs = assumedLatencyMs;
    return copy;
  }

  /**
   * Builds an {@link Endpoint}. Defaults: the provider's slug as tag, free, all parameters, text
   * only, no limits, one speaker, audio as {@code mp3} and {@code pcm}.
   */
  public static final class Builder {
    private final String model;
    private final ProviderInfo provider;
    private @Nullable String tag;
    private @Nullable String upstreamModel;
    private Kind kind = Kind.CHAT;
    private Pricing pricing = Pricing.FREE;
    private int contextLength;
    private int maxOutputTokens;
    private int maxMessages;
    private String quantization = "unknown";
    private long parameters = Parameter.ALL;
    private int inputModalities = Modality.TEXT.bit();
    private int outputModalities = Modality.TEXT.bit();
    private boolean multiSpeaker;
    private List<String> audioFormats = DEFAULT_AUDIO_FORMATS;
    private @Nullable String serviceTier;
    private double assumedThroughput;
    private double assumedLatencyMs;

    private Builder(String model, ProviderInfo provider) {
      this.model = Objects.requireNonNull(model, "model");
      this.provider = Objects.requireNonNull(provider, "provider");
    }

    public Builder tag(String value) {
      tag = value.toLowerCase(Locale.ROOT);
      return this;
    }

    public Builder upstreamModel(String value) {
      upstreamModel = value;
      return this;
    }

    public Builder kind(Kind value) {
      kind = value;
      return this;
    }

    public Builder pricing(Pricing value) {
      pricing = value;
      return this;
    }

    public Builder contextLength(int tokens) {
      contextLength = tokens;
      return this;
    }

    public Builder maxMessages(int messages) {
      maxMessages = messages;
      return this;
    }

    public Builder maxOutputTokens(int tokens) {
      maxOutputTokens = tokens;
      return this;
    }

    public Builder quantization(String value) {
      quantization = value;
      return this;
    }

    public Builder parameters(long mask) {
      parameters = mask;
      return this;
    }

    public Builder inputModalities(int mask) {
      inputModalities = mask;
      return this;
    }

    public Builder outputModalities(int mask) {
      outputModalities = mask;
      return this;
    }

    public Builder multiSpeaker(boolean value) {
      multiSpeaker = value;
      return this;
    }

    public Builder audioFormats(List<String> names) {
      audioFormats = names;
      return this;
    }

    public Builder serviceTier(@Nullable String value) {
      serviceTier = value;
      return this;
    }

    public Builder assumedPerformance(double tokensPerSecond, double latencyMs) {
      assumedThroughput = tokensPerSecond;
      assumedLatencyMs = latencyMs;
      return this;
    }

    public Endpoint build() {
      return new Endpoint(this, -1, -1, -1, -1);
    }
  }
}
