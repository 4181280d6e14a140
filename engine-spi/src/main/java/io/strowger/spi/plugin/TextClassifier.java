package io.strowger.spi.plugin;

import java.util.List;
import java.util.Set;

/**
 * Judges texts by categories of its own, such as hate or self-harm, for the plugin {@code
 * moderation}. The operator's settings determine for each category whether a request or an answer
 * is only noted in the trace or blocked. A classifier reports no positions, so nothing is redacted
 * because of it.
 *
 * <p>Safe on any thread. Must not retain any text.
 *
 * <p>Contract: "Plugins", {@code moderation}.
 */
public interface TextClassifier {
  /**
   * Returns the names of all categories: lower-case words joined by hyphens. The names must differ
   * from those of the other classifiers and built-in detectors of the gateway. Always the same,
   * never empty.
   */
  List<String> categories();

  /**
   * Returns the categories a text belongs to; empty when none. Called on the request's thread, once
   * for the texts of a request, joined by line breaks, and once for those of its answer. May block,
   * no longer than {@code chain.remaining()}.
   *
   * <p>An exception fails the request with 500 and names the plugin in the trace: what cannot be
   * judged is not passed on.
   *
   * @param text never empty; of any length a request or answer may have
   * @param chain the remaining chain, for its clock, its cancellation and its reservations of
   *     money; the classifier must not call {@link Interceptor.Chain#proceed}
   */
  Set<String> classify(String text, Interceptor.Chain chain);
}
