package io.strowger.spi.speech;

import io.strowger.spi.json.Json;
import io.strowger.spi.routing.ModelRef;
import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request to speak a text, valid, in the engine's own shape. Immutable. Contract: "POST
 * /audio/speech".
 *
 * <p>{@link #members()} is the document as it was read, for what has no typed form here: members
 * nobody knows, {@code trace}.
 */
public final class SpeechRequest {
  private final Json.Obj members;
  private final ModelRef model;
  private final List<SpeechTurn> turns;
  private final boolean multiSpeaker;
  private final String voice;
  private final SpeechFormat format;
  private final BigDecimal speed;
  private final @Nullable String instructions;
  private final SpeechReferences references;
  private final SpeechPreferences preferences;
  private final @Nullable String sessionId;
  private final @Nullable String user;

  private SpeechRequest(Builder from) {
    members = from.members;
    model = from.model;
    turns = List.copyOf(from.turns);
    multiSpeaker = from.multiSpeaker;
    voice = from.voice;
    format = from.format;
    speed = from.speed;
    instructions = from.instructions;
    references = from.references;
    preferences = from.preferences;
    sessionId = from.sessionId;
    user = from.user;
  }

  /** The whole document as it came. */
  public Json.Obj members() {
    return members;
  }

  public ModelRef model() {
    return model;
  }

  /** What is spoken, in order; a text that came as one string is one turn. At least one. */
  public List<SpeechTurn> turns() {
    return turns;
  }

  /**
   * The text came as turns, which only some models take, also when there is a single turn or every
   * turn has the same voice.
   */
  public boolean multiSpeaker() {
    return multiSpeaker;
  }

  /** The voice of the whole request; a turn's own is in its {@link SpeechTurn}. Not empty. */
  public String voice() {
    return voice;
  }

  public SpeechFormat format() {
    return format;
  }

  /** How fast, as a factor greater than 0; 1 when the caller did not say. */
  public BigDecimal speed() {
    return speed;
  }

  /** How to say it, for the whole request; null when the caller did not say. */
  public @Nullable String instructions() {
    return instructions;
  }

  public SpeechReferences references() {
    return references;
  }

  public SpeechPreferences preferences() {
    return preferences;
  }

  /** Groups requests for observers, at most 256 characters. Never sent to a provider. */
  public @Nullable String sessionId() {
    return sessionId;
  }

  /** The caller's own end user, at most 256 characters. Never sent to a provider. */
  public @Nullable String user() {
    return user;
  }

  public static Builder builder(Json.Obj members, ModelRef model, String voice) {
    return new Builder(members, model, voice);
  }

  /** Collects a request. Nothing is checked here: what callers send has been through a decoder. */
  public static final class Builder {
    private final Json.Obj members;
    private final ModelRef model;
    private final String voice;
    private List<SpeechTurn> turns = List.of();
    private boolean multiSpeaker;
    private SpeechFormat format = SpeechFormat.PCM;
    private BigDecimal speed = BigDecimal.ONE;
    private @Nullable String instructions;
    private SpeechReferences references = SpeechReferences.NONE;
    private SpeechPreferences preferences = SpeechPreferences.NONE;
    private @Nullable String sessionId;
    private @Nullable String user;

    private Builder(Json.Obj members, ModelRef model, String voice) {
      this.members = Objects.requireNonNull(members, "members");
      this.model = Objects.requireNonNull(model, "model");
      this.voice = Objects.requireNonNull(voice, "voice");
    }

    /** A text that came as one string. */
    public Builder text(SpeechTurn whole) {
      turns = List.of(whole);
      multiSpeaker = false;
      return this;
    }

    /** A text that came as turns. */
    public Builder turns(List<SpeechTurn> value) {
      turns = value;
      multiSpeaker = true;
      return this;
    }

    public Builder format(SpeechFormat value) {
      format = value;
      return this;
    }

    public Builder speed(BigDecimal factor) {
      speed = factor;
      return this;
    }

    public Builder instructions(@Nullable String value) {
      instructions = value;
      return this;
    }

    public Builder references(SpeechReferences value) {
      references = value;
      return this;
    }

    public Builder preferences(SpeechPreferences value) {
      preferences = value;
      return this;
    }

    public Builder sessionId(@Nullable String value) {
      sessionId = value;
      return this;
    }

    public Builder user(@Nullable String value) {
      user = value;
      return this;
    }

    public SpeechRequest build() {
      return new SpeechRequest(this);
    }
  }
}
