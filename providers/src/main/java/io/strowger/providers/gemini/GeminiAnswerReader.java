package io.strowger.providers.gemini;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.Usage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a complete answer. Content without a part type of its own becomes unknown parts. */
final class GeminiAnswerReader {
  private GeminiAnswerReader() {}

  /**
   * Returns the answer. A blocked prompt gives an answer without parts.
   *
   * @param partReader a reader used for this answer only
   * @return null when the document is not an answer
   */
  static @Nullable Answer of(Json.Obj document, GeminiPartReader partReader) {
    Json.Obj candidate = GeminiFinish.candidate(document);
    GeminiFinish finish = GeminiFinish.of(document);
    if (candidate == null && !finish.isPromptBlocked()) {
      return null;
    }
    List<Part> parts = PartMerger.merge(partReader.read(document));
    int searches = 0;
    if (candidate != null) {
      parts.addAll(indexAfterText(parts), annotations(candidate, partReader.text()));
      searches = GroundingReader.searches(candidate);
    }
    return new Answer(
        parts,
        finish.reason(partReader.hasCalls()),
        finish.upstreamReason(),
        usage(document, searches),
        Dialect.GEMINI,
        document);
  }

  private static @Nullable Usage usage(Json.Obj document, int searches) {
    Json.Obj usage = document.object("usageMetadata");
    return usage == null ? null : GeminiUsage.of(usage, searches);
  }

  /** Returns the citations and log probabilities of the text. */
  private static List<Part> annotations(Json.Obj candidate, String text) {
    var result = new ArrayList<Part>(GroundingReader.citations(candidate, text));
    Part logprobs = GeminiLogprobs.of(candidate);
    if (logprobs != null) {
      result.add(logprobs);
    }
    return result;
  }

  private static int indexAfterText(List<Part> parts) {
    for (int i = parts.size(); i > 0; i--) {
      if (parts.get(i - 1) instanceof Part.Text) {
        return i;
      }
    }
    return parts.size();
  }

  /**
   * Merges adjacent parts of a complete answer that belong together: adjacent texts, and adjacent
   * pieces of reasoning up to a signature. Streams are merged by the same rules. For one thread.
   */
  private static final class PartMerger {
    private final List<Part> merged = new ArrayList<>();
    private final StringBuilder buffer = new StringBuilder();
    private @Nullable Part openPart; // the part being merged; later parts of its kind are appended

    private PartMerger() {}

    static List<Part> merge(List<Part> parts) {
      var merger = new PartMerger();
      parts.forEach(merger::add);
      merger.close(null);
      return merger.merged;
    }

    private void add(Part part) {
      if (part instanceof Part.Text text) {
        if (!(openPart instanceof Part.Text)) {
          close(part);
        }
        buffer.append(text.text().text());
      } else if (part instanceof Part.Thinking thinking
          && thinking.kind() == Part.Thinking.Kind.TEXT) {
        addThinking(thinking);
      } else {
        close(null);
        merged.add(part);
      }
    }

    private void addThinking(Part.Thinking thinking) {
      if (!(openPart instanceof Part.Thinking)) {
        close(thinking);
      }
      buffer.append(thinking.text().text());
      if (thinking.signature() != null) {
        openPart = thinking; // a signature ends the piece
        close(null);
      }
    }

    /**
     * Adds the merged part, if there is one, to the result.
     *
     * @param next the part to merge into from now on; null for none
     */
    private void close(@Nullable Part next) {
      Part last = openPart;
      if (last instanceof Part.Text text) {
        merged.add(new Part.Text(mergedText(text.text()), Json.Obj.EMPTY, null));
      } else if (last instanceof Part.Thinking thinking) {
        merged.add(
            new Part.Thinking(
                thinking.kind(),
                mergedText(thinking.text()),
                thinking.signature(),
                thinking.format(),
                thinking.id(),
                Json.Obj.EMPTY,
                null));
      }
      buffer.setLength(0);
      openPart = next;
    }

    /** Returns the merged text; the same object when there was only one. */
    private Json.Str mergedText(Json.Str single) {
      String text = buffer.toString();
      return single.text().equals(text) ? single : Json.of(text);
    }
  }
}
