package io.strowger.spi.speech;

import io.strowger.spi.json.Json;
import io.strowger.spi.routing.ModelRef;
import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A valid request to speak a text, in the engine's own form. Immutable. Contract: "POST
 * /audio/speech".
 *
 * <p>{@link #members()} is the document as it was read, for members without a typed form here:
 * unknown members and {@code trace}.
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

  /** Returns the whole document as it was received. */
  public Json.Obj members() {
    return members;
  }

  public ModelRef model() {
    return model;
  }

  /** Returns the turns to speak, in order, at least one; a text given as one string is one turn. */
  public List<SpeechTurn> turns() {
    return turns;
  }

  /**
   * Returns whether the text was given as turns, which only some models support; true also for a
   * single turn and when all turns have the same voice.
   */
  public boolean multiSpeaker() {
    return multiSpeaker;
  }

  /** Returns the voice of the whole request, not empty; {@link SpeechTurn} has that of a turn. */
  public String voice() {
    return voice;
  }

  public SpeechFormat format() {
    return format;
  }

  /** Returns the speed as a factor greater than 0; 1 when the caller gave none. */
  public BigDecimal speed() {
    return speed;
  }

  /** Returns how to speak the whole text; null when the caller gave no instructions. */
  public @Nullable String instructions() {
    return instructions;
  }

  public SpeechReferences references() {
    return references;
  }

  public SpeechPreferences preferences() {
    return preferences;
  }

  /** Returns the id that groups requests for observers, at most 256 characters; null if none. */
  public @Nullable String sessionId() {
    return sessionId;
  }

  /** Returns the caller's end user, at most 256 characters; null if none. Never sent upstream. */
  public @Nullable String user() {
    return user;
  }

  public static Builder builder(Json.Obj members, ModelRef model, String voice) {
    return new Builder(members, model, voice);
  }

  /** Builds a request. Nothing is checked here: a decoder has checked what callers send. */
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

    /** Sets a text that was given as one string. */
    public Builder text(SpeechTurn turn) {
      turns = List.of(turn);
      multiSpeaker = false;
      return this;
    }

    /** Sets a text that was given as turns. */
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
