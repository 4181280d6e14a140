package io.strowger.host.catalog;

import io.strowger.spi.json.Json;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * The forms of catalogs that can be imported. For every form, the result is a configuration with
 * {@code providers} and {@code models} that the engine's reader accepts, made by these rules:
 *
 * <ul>
 *   <li>a well-known vendor has its known protocol and address and a key as {@code ${NAME}}, even
 *       if the list says otherwise, so that a list cannot send a vendor's key elsewhere; another
 *       provider speaks {@code openai-chat} unless its address shows another protocol, and has a
 *       key only when it was requested by name and the list names a single key variable. A variable
 *       that is not set makes the whole file invalid; the summary names each variable with the host
 *       its key goes to;
 *   <li>a provider without a known key or a usable address is left out unless it, or every
 *       provider, was requested;
 *   <li>a provider that is paid by subscription is left out unless it was requested;
 *   <li>a provider whose URL is unknown or has placeholders gets {@code https://SLUG.invalid/v1},
 *       which cannot be reached until an operator replaces it;
 *   <li>when a model is free at one provider and paid at another, the free endpoints become the
 *       model's {@code :free} variant, so that they neither set the model's price nor receive its
 *       requests;
 *   <li>prices are rounded to twelve decimals, half even;
 *   <li>model ids are in lower case, since requests may name them in any case;
 *   <li>when a provider has several endpoints for one model, each gets a tag of its own, {@code
 *       SLUG/NAME}, so that requests can name each;
 *   <li>an entry that cannot be used is left out and counted, and nothing is guessed.
 * </ul>
 */
public enum CatalogImport {
  /** A tree of providers and their models, prices in dollars per million tokens. */
  MODELS_DEV("models-dev", ModelsDevReader::read),
  /** A map from model names to prices in dollars per token. */
  LITELLM("litellm", LiteLlmReader::read),
  /** A gateway's own list of models, each with its endpoints. */
  LISTING("listing", ListingReader::read);

  private final String cliName;

  @SuppressWarnings("ImmutableEnumChecker") // a function without state
  private final BiFunction<Json, ImportOptions, ImportResult> reader;

  CatalogImport(String cliName, BiFunction<Json, ImportOptions, ImportResult> reader) {
    this.cliName = cliName;
    this.reader = reader;
  }

  /** Returns the name of this form on the command line. */
  public String cliName() {
    return cliName;
  }

  /** Returns the names of all forms, for help texts. */
  public static List<String> cliNames() {
    return Arrays.stream(values()).map(CatalogImport::cliName).toList();
  }

  /**
   * Returns the form with this name on the command line; empty when there is none. {@code
   * price-map} is another name for {@code litellm}.
   */
  public static Optional<CatalogImport> ofCliName(String name) {
    if (name.equals("price-map")) {
      return Optional.of(LITELLM);
    }
    return Arrays.stream(values()).filter(form -> form.cliName.equals(name)).findFirst();
  }

  /**
   * Reads a document of this form.
   *
   * @throws IllegalArgumentException when the document is not of this form; the message is a
   *     sentence for people. Single entries that cannot be used are skipped instead
   */
  public ImportResult read(Json document) {
    return read(document, ImportOptions.DEFAULT);
  }

  /**
   * Reads the providers of a document of this form that the options select.
   *
   * @throws IllegalArgumentException as {@link #read(Json)}, and when the document lacks a
   *     requested provider
   */
  public ImportResult read(Json document, ImportOptions options) {
    return reader.apply(document, options);
  }
}
