package io.strowger.core.dialect.responses;

/**
 * Ids of items: the kind, the generation they are of and their place, so that the same answer has
 * the same ids whenever it is written.
 */
record ItemIds(String generationId) {
  private static final String PREFIX = "gen-";

  ItemIds {
    generationId =
        generationId.startsWith(PREFIX) ? generationId.substring(PREFIX.length()) : generationId;
  }

  /**
   * @param kind {@code msg}, {@code rs}, {@code fc} ...
   */
  String next(String kind, int place) {
    return kind + "_" + generationId + "_" + place;
  }
}
