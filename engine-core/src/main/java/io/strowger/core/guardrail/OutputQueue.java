package io.strowger.core.guardrail;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The events or parts of an answer that wait, in order, until no match can begin any more in the
 * text before them. Confined to one thread.
 */
final class OutputQueue<T> {
  /**
   * The number of waiting items from which content without text ends the search in the text before
   * it, so that the queue stays bounded. An item may be a single character.
   */
  static final int MAX_WAITING = 2 * TextScanner.MAX_UNDECIDED_CHARS;

  private final AnswerTexts texts;
  private final Consumer<T> out;
  private final Deque<Waiting<T>> waiting = new ArrayDeque<>();
  private @Nullable AnswerText currentText;

  /**
   * An event or part that waits.
   *
   * @param text the text that it is a fragment of; null for other content
   * @param end the offset in the text at which the fragment ends
   * @param factory creates the output from the redacted fragment, which is empty for other content
   */
  private record Waiting<T>(
      @Nullable AnswerText text, int end, Function<String, @Nullable T> factory) {}

  OutputQueue(AnswerTexts texts, Consumer<T> out) {
    this.texts = texts;
    this.out = out;
  }

  /**
   * Queues a fragment of a text.
   *
   * @param index the number of the tool call; 0 for other kinds
   * @param factory creates the output from the redacted fragment, or from a part of it
   */
  void addFragment(
      AnswerTexts.Kind kind, int index, String fragment, Function<String, @Nullable T> factory) {
    AnswerText text = texts.get(kind, index);
    switchTo(text);
    if (text.append(fragment)) {
      waiting.add(new Waiting<>(text, text.length(), factory));
    }
  }

  /**
   * Queues content that is not text.
   *
   * @param factory creates the output once all content before it was passed on; its argument is
   *     empty, and null drops the content
   */
  void addOther(Function<String, @Nullable T> factory) {
    if (waiting.size() >= MAX_WAITING) {
      switchTo(null);
    }
    waiting.add(new Waiting<>(null, 0, factory));
  }

  /**
   * Switches to a text, or to other content if null, and ends the search in the previous text with
   * the characters that have arrived.
   */
  void switchTo(@Nullable AnswerText text) {
    AnswerText previous = currentText;
    if (previous != null && previous != text) {
      previous.pause();
      flush();
    }
    currentText = text;
  }

  /** Ends all texts and passes on all waiting content. */
  void end() {
    texts.endAll();
    flush();
  }

  /** Passes on the content that is decided; discards all if the answer is blocked. */
  void flush() {
    if (texts.isBlocked()) {
      waiting.clear();
    }
    while (!waiting.isEmpty()) {
      Waiting<T> head = waiting.peek();
      AnswerText text = head.text();
      int end = text == null ? 0 : text.releaseLimit(head.end(), waiting.size() == 1);
      String output = text == null ? "" : text.release(end);
      if (text == null || !output.isEmpty()) {
        T item = head.factory().apply(output);
        if (item != null) {
          out.accept(item);
        }
      }
      if (text != null && text.releasedLength() < end) {
        return;
      }
      waiting.poll();
    }
  }
}
