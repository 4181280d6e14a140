package io.strowger.conformance;

/** Small configurations and requests for them. */
final class Fixtures {
  static final String APP_KEY = "sk-app-0123456789abcdef0123456789abcdef";
  static final String ADMIN_KEY = "sk-admin-0123456789abcdef0123456789abcd";

  static final String CHAT =
      """
      {"model": "acme/large", "messages": [{"role": "user", "content": "Hello"}]}\
      """;

  static final String STREAMED_CHAT =
      """
      {"model": "acme/large", "stream": true, "messages": [{"role": "user", "content": "Hello"}]}\
      """;

  private Fixtures() {}

  /**
   * Returns a configuration with one provider that serves acme/large, a key for requests and one
   * for management.
   */
  static String config(String baseUrl) {
    return """
    {
      "providers": [
        { "slug": "alpha", "name": "Alpha", "protocol": "openai-chat", "base_url": "%s", "api_key": "sk-upstream" }
      ],
      "models": [
        { "id": "acme/large",
          "endpoints": [
            { "provider": "alpha", "upstream_model": "large",
              "pricing": { "prompt": "0.000001", "completion": "0.000002" } }
          ] }
      ],
      "keys": [
        { "name": "app", "key": "%s", "management": false, "limit": null, "limit_reset": null },
        { "name": "admin", "key": "%s", "management": true }
      ]
    }
    """
        .formatted(baseUrl, APP_KEY, ADMIN_KEY);
  }

  /** Returns a configuration with two providers that serve acme/large, and short deadlines. */
  static String twoProviders(String badUrl, String goodUrl) {
    return """
    {
      "timeouts": { "first_content_ms": 400, "stream_idle_ms": 400, "total_ms": 2000 },
      "providers": [
        { "slug": "bad", "name": "Bad", "protocol": "openai-chat", "base_url": "%s" },
        { "slug": "good", "name": "Good", "protocol": "openai-chat", "base_url": "%s" }
      ],
      "models": [
        { "id": "acme/large",
          "endpoints": [
            { "provider": "bad", "upstream_model": "large", "pricing": { "prompt": "0.000001", "completion": "0.000002" } },
            { "provider": "good", "upstream_model": "large", "pricing": { "prompt": "0.000001", "completion": "0.000002" } }
          ] }
      ],
      "keys": [ { "name": "app", "key": "%s", "management": false } ]
    }
    """
        .formatted(badUrl, goodUrl, APP_KEY);
  }
}
