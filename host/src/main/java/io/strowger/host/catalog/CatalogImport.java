package io.strowger.host.catalog;

import io.strowger.spi.json.Json;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The forms a catalog can be imported from. Whatever the form, the result is a configuration with
 * {@code providers} and {@code models} that the engine's reader accepts as it is:
 *
 * <ul>
 *   <li>every provider speaks {@code openai-chat} and has no {@code api_key}: a variable that is
 *       not set would make the whole file invalid; the summary says where keys usually come from;
 *   <li>a provider whose URL the list does not give, or only with gaps to fill in, gets {@code
 *       https://SLUG.invalid/v1}, which leads nowhere until somebody corrects it;
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
  private final Function<Json, Imported> reader;

  CatalogImport(String word, Function<Json, Imported> reader) {
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

  public static Optional<CatalogImport> ofWord(String word) {
    return Arrays.stream(values()).filter(form -> form.word.equals(word)).findFirst();
  }

  /**
   * Reads a document of this form.
   *
   * @throws IllegalArgumentException when the document as a whole is something else; the message is
   *     a sentence for people. Single entries that cannot be used are skipped instead
   */
  public Imported read(Json document) {
    return reader.apply(document);
  }
}
