package io.strowger.spi.model;

import java.util.List;

/**
 * Edits the texts of a request, {@link InferenceRequest#editTexts}. A redactor implements {@link
 * #edit} only.
 *
 * <p>An editor leaves its own results as they are: it may be asked about them again, alone or
 * joined with other texts. An exception it throws ends the edit and reaches whoever began it.
 * Called by one thread.
 */
@FunctionalInterface
public interface TextEditor {
  /**
   * Returns the text that is to stand in place of this one; an equal one when nothing changes.
   *
   * @param text decoded, without JSON's escapes; of a number its spelling. A number that changes
   *     becomes a text
   */
  String edit(String text, TextKind kind);

  /**
   * Returns whether texts of this kind are looked at. Texts of other kinds stay as they are and are
   * not even decoded.
   */
  default boolean edits(TextKind kind) {
    return true;
  }

  /**
   * Edits texts that directly follow each other, which a model reads as one. Each of them was
   * edited by itself before; this finds what is split over several of them.
   *
   * <p>Unless overridden the joined text is edited; when that changes it, it takes the place of
   * all.
   *
   * @param texts two or more
   * @return the very same list when nothing changes; otherwise as many texts, or a single one that
   *     takes the place of all
   */
  default List<String> editAdjacent(List<String> texts, TextKind kind) {
    String joined = String.join("", texts);
    String edited = edit(joined, kind);
    return edited.equals(joined) ? texts : List.of(edited);
  }

  /**
   * Edits the arguments of a tool as a whole. Every text, number and name in them was edited by
   * itself before; this finds what is split over several of them.
   *
   * <p>Unless overridden nothing is changed.
   *
   * @param json the arguments as they will be written
   * @return JSON, an equal text when nothing changes
   */
  default String editArguments(String json) {
    return json;
  }
}
