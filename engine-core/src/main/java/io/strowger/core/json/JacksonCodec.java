package io.strowger.core.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonLimits;
import io.strowger.spi.provider.JsonCodec;
import java.io.IOException;
import java.util.Objects;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON with Jackson's streaming parser, used as a tokenizer: the tree is this engine's own,
 * and every value in it knows its place in the bytes of the document.
 *
 * <p>This class is stricter than the parser alone. A document must be valid UTF-8 without a
 * byte-order mark, nothing may follow it, no object may have a name twice, and the bounds of {@link
 * JsonLimits} apply. Safe on any thread. Holds no reference to a document once it was read.
 */
public final class JacksonCodec implements JsonCodec {
  private final JsonFactory factory;
  private final JsonLimits limits;

  public JacksonCodec() {
    this(JsonLimits.DEFAULT);
  }

  public JacksonCodec(JsonLimits limits) {
    this.limits = Objects.requireNonNull(limits, "limits");
    this.factory =
        JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(tokenizerLimits(limits))
            // Jackson's default keeps buffers per thread, which is useless with virtual threads
            .recyclerPool(JsonRecyclerPools.newConcurrentDequePool())
            .build();
  }

  /**
   * Returns the tokenizer's limits. {@link SpanPass} checks most bounds, since the tokenizer counts
   * differently. The tokenizer itself bounds only the member names, which it decodes and caches:
   * their length, and how many of them may share a hash.
   */
  private static StreamReadConstraints tokenizerLimits(JsonLimits limits) {
    return StreamReadConstraints.builder()
        .maxNestingDepth(Integer.MAX_VALUE)
        .maxNumberLength(Integer.MAX_VALUE)
        .maxStringLength(Integer.MAX_VALUE)
        .maxNameLength((int) Math.min(Integer.MAX_VALUE, limits.nameChars() * 4L))
        .build();
  }

  @Override
  public Json parse(byte[] document) throws MalformedJsonException {
    return parse(document, count -> {});
  }

  /**
   * Reads a document like {@link #parse(byte[])}, and reports progress.
   *
   * @param counter called after every few thousand values, with the number of values so far; an
   *     exception that it throws ends the reading
   */
  public Json parse(byte[] document, IntConsumer counter) throws MalformedJsonException {
    refuseForeignEncoding(document);
    try (JsonParser tokens = factory.createParser(document)) {
      return new SpanPass(tokens, document, limits, counter).document();
    } catch (StreamConstraintsException e) {
      throw tokenizerLimitError(e, document);
    } catch (JsonParseException e) {
      throw SyntaxFault.of(document, offset(e.getLocation(), document));
    } catch (IOException e) {
      throw new IllegalStateException("reading an array failed", e);
    }
  }

  /** Rejects all but UTF-8: the tokenizer would guess UTF-16 or UTF-32 and lose positions. */
  private static void refuseForeignEncoding(byte[] document) throws MalformedJsonException {
    for (int i = 0; i < Math.min(4, document.length); i++) {
      if (document[i] == 0) {
        throw new MalformedJsonException("must be UTF-8, but has a zero at byte " + i);
      }
    }
    if (document.length >= 3
        && document[0] == (byte) 0xEF
        && document[1] == (byte) 0xBB
        && document[2] == (byte) 0xBF) {
      throw new MalformedJsonException(
          "must be UTF-8 without a byte-order mark, but begins with one");
    }
    int faultOffset = Utf8.firstFault(document);
    if (faultOffset >= 0) {
      throw new MalformedJsonException(
          "must be UTF-8, but is not at " + SyntaxFault.place(document, faultOffset));
    }
  }

  /**
   * Returns the error for a tokenizer limit: of a name's length, or of names with the same hash.
   */
  private MalformedJsonException tokenizerLimitError(
      StreamConstraintsException limitExceeded, byte[] document) {
    String message = Objects.requireNonNullElse(limitExceeded.getOriginalMessage(), "");
    return message.startsWith("Name length")
        ? SpanPass.nameTooLong(
            limits, SyntaxFault.place(document, offset(limitExceeded.getLocation(), document)))
        : new MalformedJsonException("has too many member names with the same hash");
  }

  private static long offset(@Nullable JsonLocation location, byte[] document) {
    long offset = location == null ? -1 : location.getByteOffset();
    return offset < 0 ? document.length : offset;
  }
}
