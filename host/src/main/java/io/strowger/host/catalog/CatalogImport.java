package io.strowger.host.catalog;

import io.strowger.spi.json.Json;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * The forms a catalog can be imported from. Whatever the form, the result is a configuration with
 * {@code providers} and {@code models} that the engine's reader accepts as it is:
 *
 * <ul>
 *   <li>well-known vendors have their protocol, their address and their key as {@code ${NAME}},
 *       whatever the list says, so that a list cannot send a vendor's key elsewhere; others speak
 *       {@code openai-chat}, unless their address says something else, and have a key only when
 *       they were asked for by name and the list names a single key variable. A variable that is
 *       not set makes the whole file invalid; the summary names each with the host it goes to;
 *   <li>a provider without a known key or a usable address is left out unless it was asked for by
 *       name or everything was;
 *   <li>a provider that is paid by subscription is left out unless it was asked for;
 *   <li>a provider whose URL nobody gives, or only with gaps to fill in, gets {@code
 *       https://SLUG.invalid/v1}, which leads nowhere until somebody corrects it;
 *   <li>what is free at one provider and costs something at another is the model's {@code :free}
 *       variant, so that it neither stands for its price nor takes its requests;
 *   <li>prices are rounded to twelve decimals, half even;
 *   <li>model ids are in lower case, since requests may name them in any case;
 *   <li>of several endpoints of one provider for one model each has a tag of its own, {@code
 *       SLUG/NAME}, so that each can be asked for;
 *   <li>what cannot be used is left out and counted, never guessed.
 * </ul>
 */
public enum CatalogImport {
  /** A tree of providers and their models, prices in dollars per million tokens. */
  PROVIDER_TREE("models-dev", ProviderTree::read),
  /** A map from model names to prices in dollars per token. */
  PRICE_MAP("litellm", PriceMap::read),
  /** A gateway's own list of models, each with its endpoints. */
  LISTING("listing", Listing::read);

  private final String word;

  @SuppressWarnings("ImmutableEnumChecker") // a function, which keeps nothing
  private final BiFunction<Json, ImportOptions, Imported> reader;

  CatalogImport(String word, BiFunction<Json, ImportOptions, Imported> reader) {
    this.word = word;
    this.reader = reader;
  }

  /** What the command line calls this form. */
  public String word() {
    return word;
  }

  /** Every form's word, for help texts. */
  public static List<String> words() {
    return Arrays.stream(values()).map(CatalogImport::word).toList();
  }

  /**
   * Returns the form that the command line calls by this word; {@code price-map} is another word
   * for {@code litellm}.
   */
  public static Optional<CatalogImport> ofWord(String word) {
    if (word.equals("price-map")) {
      return Optional.of(PRICE_MAP);
    }
    return Arrays.stream(values()).filter(form -> form.word.equals(word)).findFirst();
  }

  /**
   * Reads a document of this form.
   *
   * @throws IllegalArgumentException when the document as a whole is something else; the message is
   *     a sentence for people. Single entries that cannot be used are skipped instead
   */
  public Imported read(Json document) {
    return read(document, ImportOptions.DEFAULT);
  }

  /**
   * Reads some of a document of this form.
   *
   * @throws IllegalArgumentException as {@link #read(Json)}, and when the document does not have a
   *     provider that was asked for
   */
  public Imported read(Json document, ImportOptions options) {
    return reader.apply(document, options);
  }
}
