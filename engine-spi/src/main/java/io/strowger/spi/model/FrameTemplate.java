package io.strowger.spi.model;

import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import java.util.Objects;

/**
 * The content that many frames of one stream share: everything but one string. Upstreams repeat the
 * same few hundred bytes around every piece of text. The event holds the text and this class the
 * rest, so a text that a plugin changed cannot be written as it was before. Immutable.
 *
 * <p>Compared by identity, so that a writer can keep what it derived from a template.
 */
public final class FrameTemplate {
  private final Dialect dialect;
  private final Json.Obj firstFrame;
  private final byte[] prefix;
  private final byte[] suffix;

  /**
   * @param dialect the dialect of the frames
   * @param firstFrame one such frame, parsed; its text may be that of another event
   * @param prefix the frame's bytes before the opening quote of the text; ownership passes
   * @param suffix the frame's bytes after the closing quote of the text; ownership passes
   */
  public FrameTemplate(Dialect dialect, Json.Obj firstFrame, byte[] prefix, byte[] suffix) {
    this.dialect = Objects.requireNonNull(dialect, "dialect");
    this.firstFrame = Objects.requireNonNull(firstFrame, "firstFrame");
    this.prefix = prefix;
    this.suffix = suffix;
  }

  public Dialect dialect() {
    return dialect;
  }

  public Json.Obj firstFrame() {
    return firstFrame;
  }

  /** Returns the number of bytes of a frame without its text and the quotes around it. */
  public int length() {
    return prefix.length + suffix.length;
  }

  /** Appends the frame with the given text in it. */
  public void write(Json.Str text, JsonOutput out) {
    out.bytes(prefix);
    text.writeTo(out);
    out.bytes(suffix);
  }
}
