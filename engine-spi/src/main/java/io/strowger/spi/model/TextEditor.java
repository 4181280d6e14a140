package io.strowger.spi.model;

import java.util.List;

/**
 * Edits the texts of a request, for {@link InferenceRequest#editTexts}. A redactor implements
 * {@link #edit} only.
 *
 * <p>An editor must leave its own results unchanged: it may be given them again, alone or joined
 * with other texts. An exception it throws ends the edit and propagates to the caller of {@code
 * editTexts}. Called by one thread.
 */
@FunctionalInterface
public interface TextEditor {
  /**
   * Returns the text that replaces this one; an equal text when nothing changes.
   *
   * @param text the text without JSON escapes, or a number as it was written. A number that changes
   *     becomes a JSON string
   */
  String edit(String text, TextKind kind);

  /**
   * Returns whether this editor edits texts of this kind. Other texts stay as they are and are not
   * even decoded.
   */
  default boolean edits(TextKind kind) {
    return true;
  }

  /**
   * Edits texts that directly follow each other, which a model reads as one. Each of them has
   * already been edited by itself; this method finds what is split across several of them.
   *
   * <p>The default implementation edits the joined text; if the joined text changes, the result
   * replaces all of the texts.
   *
   * @param texts the adjacent texts, two or more
   * @return the same list instance when nothing changes; otherwise as many texts, or one text that
   *     replaces all of them
   */
  default List<String> editAdjacent(List<String> texts, TextKind kind) {
    String joined = String.join("", texts);
    String edited = edit(joined, kind);
    return edited.equals(joined) ? texts : List.of(edited);
  }

  /**
   * Edits the arguments of a tool call as a whole. Every text, number and name in them has already
   * been edited by itself; this method finds what is split across several of them.
   *
   * <p>The default implementation changes nothing.
   *
   * @param json the arguments as they will be written
   * @return the edited JSON; an equal text when nothing changes
   */
  default String editArguments(String json) {
    return json;
  }
}
