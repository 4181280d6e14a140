package io.strowger.host.catalog;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Knows vendors that price lists name without saying how they are reached: the protocol, the
 * address and the environment variable their key is usually in.
 */
final class Vendors {
  private static final String CHAT = "openai-chat";
  private static final String MESSAGES = "anthropic-messages";

  private static final Pattern SUBSCRIPTION =
      Pattern.compile(
          "(^|[^a-z])(coding|token|step)[-_ ]plan([^a-z]|$)|for[-_ ]coding|(^|[^a-z])copilot",
          Pattern.CASE_INSENSITIVE);

  /**
   * How a vendor is reached.
   *
   * @param url the base address, used instead of the one in a price list
   * @param variable the environment variable with the key
   */
  record Vendor(String protocol, String url, String variable) {}

  /** The author in model ids, by slug, for vendors whose slug differs from their author name. */
  private static final Map<String, String> AUTHORS =
      Map.of(
          "gemini", "google",
          "mistral", "mistralai",
          "moonshot", "moonshotai",
          "cohere_chat", "cohere");

  private static final Map<String, Vendor> BY_SLUG = bySlug();

  private Vendors() {}

  private static Map<String, Vendor> bySlug() {
    var vendors = new HashMap<String, Vendor>();
    vendors.put("openai", new Vendor(CHAT, "https://api.openai.com/v1", "OPENAI_API_KEY"));
    vendors.put(
        "anthropic", new Vendor(MESSAGES, "https://api.anthropic.com/v1", "ANTHROPIC_API_KEY"));
    var google =
        new Vendor("gemini", "https://generativelanguage.googleapis.com/v1beta", "GEMINI_API_KEY");
    vendors.put("google", google);
    vendors.put("gemini", google);
    chat(vendors, "mistral", "https://api.mistral.ai/v1", "MISTRAL_API_KEY");
    chat(vendors, "groq", "https://api.groq.com/openai/v1", "GROQ_API_KEY");
    chat(vendors, "xai", "https://api.x.ai/v1", "XAI_API_KEY");
    chat(vendors, "cerebras", "https://api.cerebras.ai/v1", "CEREBRAS_API_KEY");
    chat(vendors, "cohere", "https://api.cohere.ai/compatibility/v1", "COHERE_API_KEY");
    chat(vendors, "cohere_chat", "https://api.cohere.ai/compatibility/v1", "COHERE_API_KEY");
    chat(vendors, "deepinfra", "https://api.deepinfra.com/v1/openai", "DEEPINFRA_API_KEY");
    chat(vendors, "deepseek", "https://api.deepseek.com", "DEEPSEEK_API_KEY");
    chat(vendors, "togetherai", "https://api.together.xyz/v1", "TOGETHER_API_KEY");
    chat(vendors, "together_ai", "https://api.together.xyz/v1", "TOGETHER_API_KEY");
    chat(vendors, "fireworks-ai", "https://api.fireworks.ai/inference/v1", "FIREWORKS_API_KEY");
    chat(vendors, "fireworks_ai", "https://api.fireworks.ai/inference/v1", "FIREWORKS_API_KEY");
    chat(vendors, "perplexity", "https://api.perplexity.ai", "PERPLEXITY_API_KEY");
    chat(vendors, "openrouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY");
    chat(vendors, "moonshotai", "https://api.moonshot.ai/v1", "MOONSHOT_API_KEY");
    chat(vendors, "moonshot", "https://api.moonshot.ai/v1", "MOONSHOT_API_KEY");
    chat(vendors, "nebius", "https://api.tokenfactory.nebius.com/v1", "NEBIUS_API_KEY");
    chat(vendors, "venice", "https://api.venice.ai/api/v1", "VENICE_API_KEY");
    chat(vendors, "v0", "https://api.v0.dev/v1", "V0_API_KEY");
    chat(vendors, "vercel", "https://ai-gateway.vercel.sh/v1", "AI_GATEWAY_API_KEY");
    chat(vendors, "aihubmix", "https://aihubmix.com/v1", "AIHUBMIX_API_KEY");
    chat(vendors, "zai", "https://api.z.ai/api/paas/v4", "ZHIPU_API_KEY");
    vendors.put(
        "minimax", new Vendor(MESSAGES, "https://api.minimax.io/anthropic/v1", "MINIMAX_API_KEY"));
    vendors.put(
        "perplexity-agent",
        new Vendor("openai-responses", "https://api.perplexity.ai/v1", "PERPLEXITY_API_KEY"));
    return Map.copyOf(vendors);
  }

  private static void chat(Map<String, Vendor> vendors, String slug, String url, String variable) {
    vendors.put(slug, new Vendor(CHAT, url, variable));
  }

  static @Nullable Vendor of(String slug) {
    return BY_SLUG.get(slug);
  }

  /** Returns the variables that hold the vendors' keys, sorted. */
  static Set<String> variables() {
    return BY_SLUG.values().stream()
        .map(Vendor::variable)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Returns whether models whose id begins with this author are the vendor's own. */
  static boolean isAuthor(String slug, String author) {
    return BY_SLUG.containsKey(slug)
        && (letters(slug).equals(letters(author)) || author.equals(AUTHORS.get(slug)));
  }

  private static String letters(String name) {
    return name.replaceAll("[^a-z0-9]", "");
  }

  /**
   * Returns the protocol of a provider: that of a known vendor, or else the one that its address
   * shows, or else {@code openai-chat}.
   */
  static String protocol(String slug, @Nullable String url) {
    Vendor vendor = BY_SLUG.get(slug);
    if (vendor != null) {
      return vendor.protocol();
    }
    return url != null && url.contains("/anthropic") ? MESSAGES : CHAT;
  }

  /** Returns whether a name or an address shows that a provider is paid by subscription. */
  static boolean isSubscription(String slug, String name, @Nullable String url) {
    return SUBSCRIPTION.matcher(slug).find()
        || SUBSCRIPTION.matcher(name).find()
        || url != null && (url.contains("/coding/") || url.contains("/step_plan/"));
  }
}
