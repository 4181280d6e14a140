package io.strowger.core.plan;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.routing.ModelRef;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Finds the models a mistyped name may have meant, by edit distance. */
final class SimilarModels {
  private static final int MAX_MATCHES = 3;

  /** Longer names are not compared: they are hardly typing errors, and comparing them is slow. */
  private static final int MAX_NAME_LENGTH = 100;

  private static final int NOT_SIMILAR = Integer.MAX_VALUE;

  private record Match(String id, int distance) {}

  private SimilarModels() {}

  /** Returns at most three ids, closest first. */
  static List<String> of(ModelRef ref, Catalog catalog) {
    String slug = ref.slug().toLowerCase(Locale.ROOT);
    if (slug.isEmpty() || slug.length() > MAX_NAME_LENGTH) {
      return List.of();
    }
    var matches = new ArrayList<Match>();
    for (ModelInfo model : catalog.models()) {
      if (!model.isHidden() && !model.isPrivate() && model.id().length() <= MAX_NAME_LENGTH) {
        int distance = distance(slug, model.id().toLowerCase(Locale.ROOT));
        if (distance < NOT_SIMILAR) {
          matches.add(new Match(model.id(), distance));
        }
      }
    }
    matches.sort(Comparator.comparingInt(Match::distance).thenComparing(Match::id));
    return matches.stream().limit(MAX_MATCHES).map(Match::id).toList();
  }

  /** Returns the lesser of the distances of the whole names and of the parts after the author. */
  private static int distance(String slug, String id) {
    return Math.min(editsIfSimilar(slug, id), editsIfSimilar(afterAuthor(slug), afterAuthor(id)));
  }

  /** Returns the edit distance if it is small for the name's length, else {@link #NOT_SIMILAR}. */
  private static int editsIfSimilar(String slug, String id) {
    int edits = edits(slug, id);
    return edits <= Math.max(1, slug.length() / 4) ? edits : NOT_SIMILAR;
  }

  private static String afterAuthor(String name) {
    return name.substring(name.indexOf('/') + 1);
  }

  /** Returns how many letters to insert, delete or replace to turn one text into the other. */
  private static int edits(String a, String b) {
    int[] previousRow = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previousRow[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] row = new int[b.length() + 1];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaceCost = previousRow[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replaceCost, Math.min(previousRow[j], row[j - 1]) + 1);
      }
      previousRow = row;
    }
    return previousRow[b.length()];
  }
}
