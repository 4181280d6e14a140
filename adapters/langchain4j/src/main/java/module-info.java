/** LangChain4j's chat models over a gateway in the same process. */
module io.strowger.langchain4j {
  requires static transitive org.jspecify;
  requires transitive io.strowger.core;
  requires transitive langchain4j.core;

  exports io.strowger.langchain4j;
}
