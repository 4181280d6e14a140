package io.strowger.core.meter;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.FrameTemplate;
import io.strowger.spi.model.Part;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * Measures the output of one answer while it is delivered: an estimate of its tokens for a bill
 * without a count, the minimum number of tokens of its text, and whether it is more than any honest
 * upstream produces for the tokens requested. Decodes no text.
 *
 * <p>Written by one thread, read by any. Decision 24 has the reasons for the numbers.
 */
public final class DeliveredOutput {
  /** Bytes of text that an estimate counts as one token. */
  public static final int BYTES_PER_TOKEN = 4;

  /** The longest tokens of the vocabularies in use have this many bytes: runs of one character. */
  public static final int MAX_BYTES_PER_TOKEN = 128;

  /** Bytes of text allowed beyond the cap, so that a cap of very few tokens has room. */
  private static final long SPARE_TEXT_BYTES = 1 << 10;

  /**
   * Maximum bytes of a frame per token: images, sound and log probabilities take more than text.
   */
  private static final long MAX_FRAME_BYTES_PER_TOKEN = 16 << 10;

  /** Bytes allowed for frames without tokens, such as citations and results of searches. */
  private static final long SPARE_FRAME_BYTES = 1 << 20;

  /** Blocks allowed beyond the cap: some are empty. */
  private static final long SPARE_BLOCKS = 1 << 10;

  /** Bytes counted for every event, even an empty one. */
  private static final int EVENT_BYTES = 16;

  /** Bytes of encoded media that an estimate counts as one token. */
  private static final int MEDIA_BYTES_PER_TOKEN = 1 << 10;

  private static final int TEXT = 0;
  private static final int TEXT_EQUIVALENT = 1; // in equivalent bytes of text
  private static final int FRAMES = 2;
  private static final int BLOCKS = 3;
  private static final int CALLS = 4;
  private static final int SOUND = 5;
  private static final int AUDIBLE_SOUND = 6;
  private static final int COUNTERS = 7;

  /** Bytes of sound that an estimate counts as one token: some 40 milliseconds of samples. */
  private static final int SOUND_BYTES_PER_TOKEN = 2 << 10;

  private boolean hasContent; // whether content came; for the writer only
  private @Nullable PlayableAudioDetector sound; // the writer's own
  private final AtomicLongArray counts = new AtomicLongArray(COUNTERS);

  /** Counts one event. */
  public void add(Event event) {
    switch (event) {
      case Event.TextDelta e -> addText(e.text().utf8Bound(), size(e.template()));
      case Event.ReasoningDelta e -> addText(e.text().utf8Bound(), size(e.template()));
      case Event.RefusalDelta e -> addText(e.text().utf8Bound(), size(e.frame()));
      case Event.ToolCallDelta e -> {
        String name = e.name();
        if (name != null) {
          increase(CALLS, 1);
        }
        addText(e.arguments().utf8Bound(), size(e.frame()) + (name == null ? 0 : name.length()));
      }
      case Event.EncryptedReasoning e -> {
        increase(TEXT_EQUIVALENT, e.data().utf8Bound());
        addText(0, e.data().utf8Bound());
      }
      case Event.OtherContent e -> addMedia(e.frame().writtenLength());
      case Event.ReasoningSignature e -> addText(0, e.signature().utf8Bound());
      case Event.Annotation e -> addText(0, e.body().writtenLength());
      case Event.Logprobs e -> addText(0, e.content().writtenLength());
      case Event.CompleteAnswer e -> add(e.answer());
      case Event.Started e ->
          addText(0, hasContent ? size(e.frame()) : 0); // may repeat the request
      case Event.BlockStart e -> {
        increase(BLOCKS, 1);
        addText(0, size(e.frame()));
      }
      case Event.BlockStop e -> addText(0, size(e.frame()));
      case Event.UsageReport e -> addText(0, 0);
      case Event.ServerToolRun e -> {} // the gateway's own
      case Event.UpstreamBodyEcho e -> {} // the gateway's own
      case Event.AudioDelta e -> addSound(e);
      case Event.Finished e -> {}
      case Event.Failed e -> {}
    }
    hasContent |= event.isContent();
  }

  /**
   * Counts the parts of an answer. Its other members repeat the request, or are bounded by the
   * limit on the size of the document.
   */
  private void add(Answer answer) {
    for (Part part : answer.parts()) {
      add(part);
    }
  }

  private void add(Part part) {
    switch (part) {
      case Part.Text p -> addText(p.text().utf8Bound(), 0);
      case Part.Refusal p -> addText(p.text().utf8Bound(), 0);
      case Part.ToolCall p -> {
        increase(CALLS, 1);
        addText(p.arguments().utf8Bound(), 0);
      }
      case Part.Thinking p -> {
        if (p.kind() == Part.Thinking.Kind.ENCRYPTED) {
          increase(TEXT_EQUIVALENT, p.text().utf8Bound());
          addText(0, p.text().utf8Bound());
        } else {
          addText(p.text().utf8Bound(), 0);
        }
      }
      case Part.Image p -> addMedia(p.media().asUrl().utf8Bound());
      case Part.Audio p -> addMedia(p.data().utf8Bound());
      case Part.Video p -> addMedia(p.url().utf8Bound());
      case Part.File p -> addMedia(p.file().writtenLength());
      case Part.Unknown p -> addMedia(p.source().writtenLength());
      case Part.Citation p -> addText(0, p.body().writtenLength());
      case Part.Logprobs p -> addText(0, p.content().writtenLength());
      case Part.ToolResult p -> {}
      case Part.ServerToolRun p -> {}
    }
  }

  private void addText(long textBytes, long frameBytes) {
    if (textBytes > 0) {
      increase(TEXT, textBytes);
    }
    increase(FRAMES, EVENT_BYTES + textBytes + frameBytes);
  }

  /** Counts sound, which is not counted as text: the speech adapter bounds it. */
  private void addSound(Event.AudioDelta event) {
    if (sound == null) {
      sound = PlayableAudioDetector.of(event.contentType());
    }
    increase(SOUND, event.size());
    if (get(AUDIBLE_SOUND) == 0 && sound.appendAndCheck(event)) {
      increase(AUDIBLE_SOUND, 1);
    }
  }

  private void addMedia(long bytes) {
    increase(TEXT_EQUIVALENT, BYTES_PER_TOKEN * Math.max(1, bytes / MEDIA_BYTES_PER_TOKEN));
    addText(0, bytes);
  }

  private void increase(int counter, long amount) {
    counts.setRelease(counter, counts.getPlain(counter) + amount); // one writer
  }

  private long get(int counter) {
    return counts.getAcquire(counter);
  }

  private static int size(@Nullable FrameTemplate template) {
    return template == null ? 0 : template.length();
  }

  private static int size(Json.@Nullable Obj frame) {
    return frame == null ? 0 : frame.sourceLength();
  }

  /** Returns the bytes of all events, including what surrounds the text. */
  public long bytes() {
    return get(FRAMES);
  }

  /** Returns whether enough sound was delivered to be heard. */
  public boolean hasAudibleSound() {
    return get(AUDIBLE_SOUND) > 0;
  }

  /** Returns the tokens of the delivered sound, estimated from its bytes; rounded up. */
  public long estimatedSoundTokens() {
    return (get(SOUND) + SOUND_BYTES_PER_TOKEN - 1) / SOUND_BYTES_PER_TOKEN;
  }

  /** Returns the tokens delivered, estimated from bytes; rounded up. */
  public long estimatedTokens() {
    return tokens(get(TEXT) + get(TEXT_EQUIVALENT));
  }

  /**
   * Returns {@link #estimatedTokens} for an answer that was cut because it exceeded the tokens
   * requested of its upstream. Whatever exceeded the requested tokens counts as tokens, even if it
   * is not text: surrounding frames, blocks, or calls.
   */
  public long estimatedTokensWhenCut() {
    long frameTokens = (get(FRAMES) - SPARE_FRAME_BYTES) / MAX_FRAME_BYTES_PER_TOKEN;
    long blockTokens = Math.max(get(BLOCKS) - SPARE_BLOCKS, get(CALLS));
    return Math.max(estimatedTokens(), Math.max(frameTokens, blockTokens));
  }

  /** Returns the estimated tokens of a text of this many bytes; rounded up. */
  public static long tokens(long bytes) {
    return (bytes + BYTES_PER_TOKEN - 1) / BYTES_PER_TOKEN;
  }

  /**
   * Returns the minimum number of tokens of the delivered output; 0 only when there was none. Only
   * the text of the output counts: what surrounds the text, such as documents that were read and
   * images that are counted separately, may take no tokens at all.
   */
  public long minTokens() {
    long textBytes = get(TEXT);
    return Math.max(textBytes / MAX_BYTES_PER_TOKEN, textBytes + get(TEXT_EQUIVALENT) > 0 ? 1 : 0);
  }

  /**
   * Returns whether more was delivered than an upstream can produce for the tokens requested.
   *
   * @param cap the maximum number of tokens requested; 0 or less for no limit
   */
  public boolean exceeds(long cap) {
    return cap > 0
        && (get(TEXT) > maxTextBytes(cap)
            || get(FRAMES) > maxFrameBytes(cap)
            || get(BLOCKS) > SPARE_BLOCKS + cap);
  }

  /** Returns the maximum bytes of text that an upstream can produce for this many tokens. */
  public static long maxTextBytes(long cap) {
    return SPARE_TEXT_BYTES + MAX_BYTES_PER_TOKEN * cap;
  }

  /**
   * Returns the maximum bytes that can belong to this many tokens, including surrounding frames.
   */
  public static long maxFrameBytes(long cap) {
    return SPARE_FRAME_BYTES + MAX_FRAME_BYTES_PER_TOKEN * cap;
  }
}
