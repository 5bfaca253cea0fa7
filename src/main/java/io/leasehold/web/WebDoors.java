package io.leasehold.web;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.jackson.autoconfigure.JsonFactoryBuilderCustomizer;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.format.FormatterRegistry;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import tools.jackson.databind.json.JsonMapper;

/** What every controller method can count on: checked operation, known input, strict JSON. */
@Configuration(proxyBeanMethods = false)
class WebDoors {

  /** Above our own bound, so that headers just above it are answered with a problem. */
  private static final int CONTAINER_HEADER_BYTES = 64 * 1024;

  @Bean
  JsonMapperBuilderCustomizer strictJson() {
    return StrictJson.customizer();
  }

  @Bean
  JsonFactoryBuilderCustomizer boundedJson() {
    return factory -> factory.streamReadConstraints(StrictJson.constraints());
  }

  @Bean
  ProblemWriter problemWriter(JsonMapper json) {
    return new ProblemWriter(json);
  }

  @Bean
  WebMvcConfigurer doorsOfMvc(
      Access access, Rights rights, ApplicationEventPublisher events, JsonMapper json) {
    return new WebMvcConfigurer() {
      @Override
      public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(new OperationGate(access, rights, events));
        registry.addInterceptor(new KnownParameters());
        registry.addInterceptor(new UnreadBody(json));
      }

      @Override
      public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
        resolvers.add(new PageRequests());
        resolvers.add(new IdempotencyKeys(json, access));
      }

      @Override
      public void addFormatters(FormatterRegistry registry) {
        registry.addConverter(String.class, Instant.class, WebDoors::instant);
        registry.addConverter(String.class, Duration.class, WebDoors::duration);
      }
    };
  }

  @Bean
  DeclaredOperations declaredOperations(
      @Qualifier("requestMappingHandlerMapping") RequestMappingHandlerMapping mapping,
      Rights rights) {
    return new DeclaredOperations(mapping, rights);
  }

  @Bean
  @Order(Ordered.LOWEST_PRECEDENCE)
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> container(JsonMapper json) {
    return factory -> {
      factory.addConnectorCustomizers(
          connector ->
              connector.setProperty("maxHttpRequestHeaderSize", "" + CONTAINER_HEADER_BYTES));
      factory.addContextCustomizers(
          context -> context.getParent().getPipeline().addValve(new ContainerReport(json)));
    };
  }

  private static Instant instant(String text) {
    Instant instant = WireTime.instant(text);
    if (instant == null) {
      throw new IllegalArgumentException("not an instant");
    }
    return instant;
  }

  private static Duration duration(String text) {
    Duration duration = WireTime.duration(text);
    if (duration == null) {
      throw new IllegalArgumentException("not a duration");
    }
    return duration;
  }
}
