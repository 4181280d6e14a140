package io.strowger.plugins.tasks;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Determines the kind of task by the words of the latest user message and by features of the
 * request: tools, images, documents, a JSON format. Knows English words only; in other languages it
 * recognizes words with the same spelling, and returns {@link #FALLBACK_LABEL} for the rest.
 *
 * <p>Reads at most {@value #MAX_CHARS} characters, the beginning and the end of a long text, in one
 * pass. A text of more than {@value #MAX_BYTES} bytes is not read at all, since it is most likely
 * pasted. Immutable, safe on any thread.
 */
public final class WordClassifier implements TaskClassifier {
  /** The label of a text that fits no other kind. */
  public static final String FALLBACK_LABEL = "general_chat";

  private static final int MAX_CHARS = 8192;
  private static final int MAX_BYTES = 262_144;
  private static final int MAX_WORD = 24;
  // the first words count double, since they mostly state the task
  private static final int LEADING_WORDS = 12;
  private static final int MIN_SCORE = 3;

  private final Vocabulary vocabulary = Vocabulary.of(TaskWords.TABLE);

  /** Returns all labels that this classifier can return. */
  @Override
  public List<String> labels() {
    return vocabulary.labels();
  }

  @Override
  public @Nullable String classify(InferenceRequest request) {
    Message userMessage = latest(request);
    if (userMessage == null) {
      return null;
    }
    var tally = vocabulary.new Tally();
    addFeatures(request, userMessage, tally);
    int charsLeft = MAX_CHARS;
    boolean hasText = false;
    for (int i = 0; i < userMessage.parts().size() && charsLeft > 0; i++) {
      if (userMessage.parts().get(i) instanceof Part.Text part
          && part.text().utf8Bound() <= MAX_BYTES) {
        String text = part.text().text();
        charsLeft -= addText(text, charsLeft, tally);
        hasText |= !text.isBlank();
      }
    }
    String best = tally.best(MIN_SCORE);
    return best != null ? best : hasText ? FALLBACK_LABEL : null;
  }

  private static @Nullable Message latest(InferenceRequest request) {
    for (int i = request.messages().size() - 1; i >= 0; i--) {
      if (request.messages().get(i).role() == Message.Role.USER) {
        return request.messages().get(i);
      }
    }
    return null;
  }

  private static void addFeatures(
      InferenceRequest request, Message userMessage, Vocabulary.Tally tally) {
    if (!request.tools().isEmpty()) {
      tally.count("#tools", 1);
    }
    if (request.members().get("response_format") instanceof Json.Obj format
        && format.get("type") instanceof Json.Str type
        && type.startsWithIgnoreCase("json")) {
      tally.count("#json", 1);
    }
    for (Part part : userMessage.parts()) {
      switch (part) {
        case Part.Image image -> tally.count("#image", 1);
        case Part.Video video -> tally.count("#image", 1);
        case Part.Audio audio -> tally.count("#audio", 1);
        case Part.File file -> tally.count("#file", 1);
        case Part.Text text -> {
          // the words of a text are counted in addText
        }
        case Part.ToolCall call -> {
          // never in a user's message
        }
        case Part.ToolResult result -> tally.count("#tools", 1);
        case Part.Thinking thinking -> {
          // never in a user's message
        }
        case Part.Refusal refusal -> {
          // never in a user's message
        }
        case Part.Citation citation -> {
          // never in a user's message
        }
        case Part.Logprobs logprobs -> {
          // never in a user's message
        }
        case Part.ServerToolRun run -> {
          // never in a user's message
        }
        case Part.Unknown unknown -> {
          // its meaning is unknown
        }
      }
    }
  }

  /**
   * Counts the words at the beginning and end of a text, and returns the number of characters read.
   */
  private int addText(String text, int maxChars, Vocabulary.Tally tally) {
    if (text.length() <= maxChars) {
      addWords(text, 0, text.length(), tally, LEADING_WORDS);
      return text.length();
    }
    int head = maxChars * 3 / 4;
    addWords(text, 0, head, tally, LEADING_WORDS);
    addWords(text, text.length() - (maxChars - head), text.length(), tally, 0);
    return maxChars;
  }

  private void addWords(String text, int from, int to, Vocabulary.Tally tally, int leadingWords) {
    var word = new StringBuilder(MAX_WORD);
    String previous = "";
    int ticks = 0;
    for (int i = from; i <= to; i++) {
      char c = i < to ? text.charAt(i) : ' ';
      ticks = c == '`' ? ticks + 1 : 0;
      if (ticks == 3) {
        tally.count("#code", 1);
      }
      if (Character.isLetterOrDigit(c) || word.length() > 0 && (c == '+' || c == '#')) {
        if (word.length() <= MAX_WORD) {
          word.append(Character.toLowerCase(c));
        }
      } else if (c != '\'' && c != '\u2019' && word.length() > 0) {
        previous = addWord(word, previous, tally, leadingWords-- > 0 ? 2 : 1);
      }
    }
    if (to > from && text.charAt(to - 1) == '?') {
      tally.count("#question", 1);
    }
  }

  private String addWord(StringBuilder word, String previous, Vocabulary.Tally tally, int factor) {
    String text = word.length() > MAX_WORD ? "" : word.toString();
    word.setLength(0);
    tally.count(text, factor);
    if (vocabulary.startsPhrase(previous)) {
      tally.count(previous + " " + text, factor);
    }
    return text;
  }
}
