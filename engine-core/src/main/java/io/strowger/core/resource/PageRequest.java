package io.strowger.core.resource;

/**
 * A part of a list. Resources fact sheet, section 1.
 *
 * @param offset how many to leave out, at least 0
 * @param limit how many at most, at least 1
 */
public record PageRequest(long offset, int limit) {
  public PageRequest {
    if (offset < 0 || limit < 1) {
      throw new IllegalArgumentException(
          "offset must be at least 0 and limit at least 1, were " + offset + " and " + limit);
    }
  }
}
