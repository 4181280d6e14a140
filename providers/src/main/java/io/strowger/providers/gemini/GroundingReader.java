package io.strowger.providers.gemini;

import io.strowger.providers.translate.Citations;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Part;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Converts the sources of an answer to citations of the chat dialect. This dialect counts positions
 * in bytes of a part, the chat dialect in chars of the whole text; a segment whose quotation is not
 * at its positions is located by the quotation.
 */
final class GroundingReader {
  private final String text;
  private final CharIndex charIndex;
  private final Set<Json.Obj> citations = new LinkedHashSet<>();

  private GroundingReader(String text) {
    this.text = text;
    this.charIndex = new CharIndex(text);
  }

  /**
   * Returns the citations in order, without duplicates.
   *
   * @param text the whole text of the answer
   */
  static List<Part.Citation> citations(Json.Obj candidate, String text) {
    Json.Obj grounding = candidate.object("groundingMetadata");
    Json.Obj citationMetadata = candidate.object("citationMetadata");
    if (grounding == null && citationMetadata == null) {
      return List.of();
    }
    var reader = new GroundingReader(text);
    if (grounding != null) {
      reader.addGrounding(grounding);
    }
    if (citationMetadata != null) {
      objects(citationMetadata, "citations")
          .forEach(citation -> reader.add(citation, reader.textRange(citation)));
    }
    return reader.citations.stream().map(body -> new Part.Citation(body, null)).toList();
  }

  /** Returns how many searches the upstream made for the answer. */
  static int searches(Json.Obj candidate) {
    Json.Obj grounding = candidate.object("groundingMetadata");
    Json.Arr queries = grounding == null ? null : grounding.list("webSearchQueries");
    return queries == null ? 0 : queries.size();
  }

  private void addGrounding(Json.Obj grounding) {
    List<Json.Obj> chunks = objects(grounding, "groundingChunks");
    List<Json.Obj> supports = objects(grounding, "groundingSupports");
    for (Json.Obj support : supports) {
      Json.Obj segment = Objects.requireNonNullElse(support.object("segment"), Json.Obj.EMPTY);
      int[] range = textRange(segment);
      Json.Arr indices = support.list("groundingChunkIndices");
      for (int i = 0; indices != null && i < indices.size(); i++) {
        long index = indices.get(i) instanceof Json.Num num ? num.asLong().orElse(-1) : -1;
        if (index >= 0 && index < chunks.size()) {
          add(chunks.get((int) index).object("web"), range);
        }
      }
    }
    if (supports.isEmpty()) {
      int[] wholeText = {0, text.length()};
      chunks.forEach(chunk -> add(chunk.object("web"), wholeText));
    }
  }

  private static List<Json.Obj> objects(Json.Obj source, String name) {
    var objects = new ArrayList<Json.Obj>();
    Json.Arr list = source.list(name);
    for (Json item : list == null ? List.<Json>of() : list) {
      objects.add(item instanceof Json.Obj object ? object : Json.Obj.EMPTY); // keeps the indexes
    }
    return objects;
  }

  /** Adds a citation, if the source has a URL. */
  private void add(Json.@Nullable Obj source, int[] range) {
    String url = source == null ? null : source.text("uri");
    if (source == null || url == null) {
      return;
    }
    String title = source.text("title");
    Json.Obj citation =
        Json.object()
            .put("url", url)
            .put("title", Objects.requireNonNullElse(title, url))
            .put("start_index", range[0])
            .put("end_index", range[1])
            .build();
    citations.add(Citations.of(citation));
  }

  /**
   * Returns the range of a segment in chars: its start, and its end, exclusive. Without positions
   * the range is the whole text.
   */
  private int[] textRange(Json.Obj segment) {
    int from = charIndex.ofByte(segment.longValue("startIndex", 0));
    int to =
        segment.has("endIndex")
            ? charIndex.ofByte(segment.longValue("endIndex", 0))
            : text.length();
    String quote = segment.text("text");
    if (quote != null && !text.startsWith(quote, from)) {
      int index = text.indexOf(quote);
      return index < 0
          ? new int[] {from, Math.max(from, to)}
          : new int[] {index, index + quote.length()};
    }
    return new int[] {from, Math.max(from, to)};
  }

  /**
   * Converts positions in the UTF-8 form of a text to positions in its chars. Reads the text once,
   * so that each conversion takes constant time, however many an upstream asks for.
   */
  static final class CharIndex {
    /** The bytes between two positions that are stored. */
    private static final int STEP = 64;

    private final byte[] bytes;
    private final int[] charsBefore; // for each step, the chars that begin in the bytes before it

    CharIndex(String text) {
      bytes = text.getBytes(StandardCharsets.UTF_8);
      charsBefore = new int[bytes.length / STEP + 1];
      for (int step = 1; step < charsBefore.length; step++) {
        charsBefore[step] = charsBefore[step - 1] + charCount((step - 1) * STEP, step * STEP);
      }
    }

    /**
     * Returns the index of the char that begins at or after a byte.
     *
     * @param byteIndex the index of the byte; outside the text, that of its nearest end
     */
    int ofByte(long byteIndex) {
      int end = Math.clamp(byteIndex, 0, bytes.length);
      while (end < bytes.length && isContinuation(bytes[end])) {
        end++;
      }
      int step = end / STEP;
      return charsBefore[step] + charCount(step * STEP, end);
    }

    /**
     * Returns how many chars begin in a range of bytes; a code point of four bytes is two chars.
     */
    private int charCount(int from, int to) {
      int count = 0;
      for (int i = from; i < to; i++) {
        if (!isContinuation(bytes[i])) {
          count += (bytes[i] & 0xF8) == 0xF0 ? 2 : 1;
        }
      }
      return count;
    }

    private static boolean isContinuation(byte value) {
      return (value & 0xC0) == 0x80;
    }
  }
}
