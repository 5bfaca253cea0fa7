package io.leasehold.web;

import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverters;
import io.swagger.v3.core.converter.ResolvedSchema;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.info.License;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.IntegerSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import io.swagger.v3.oas.models.security.SecurityRequirement;
import io.swagger.v3.oas.models.security.SecurityScheme;
import io.swagger.v3.oas.models.servers.Server;
import java.lang.annotation.Annotation;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springdoc.core.customizers.GlobalOpenApiCustomizer;
import org.springdoc.core.customizers.OperationCustomizer;
import org.springdoc.core.customizers.PropertyCustomizer;
import org.springdoc.core.utils.SpringDocUtils;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.method.HandlerMethod;

/** What the document says of all paths alike: bearer, problems, pages, keys, open enumerations. */
@Configuration(proxyBeanMethods = false)
class OpenApi {

  static {
    SpringDocUtils.getConfig().addRequestWrapperToIgnore(PageRequest.class, IdempotencyKey.class);
  }

  private static final Map<String, String> PROBLEMS = problems();

  private static Map<String, String> problems() {
    Map<String, String> problems = new LinkedHashMap<>();
    problems.put("400", "The input breaks a rule; errors[] says where and which.");
    problems.put("401", "No credential, or one that is not valid now.");
    problems.put("403", "Visible, but not allowed.");
    problems.put("404", "Not there, or not yours.");
    problems.put("406", "No media type that the caller accepts.");
    problems.put("409", "The present state does not allow it.");
    problems.put("412", "Changed meanwhile.");
    problems.put("413", "The body is too large.");
    problems.put("415", "Another media type is read here.");
    problems.put("422", "The idempotency key was used with another body.");
    problems.put("428", "If-Match is required.");
    problems.put("429", "Too many requests; Retry-After says when.");
    problems.put("503", "Not able now; Retry-After says when.");
    return problems;
  }

  private static final List<String> OF_ALL =
      List.of("400", "401", "403", "404", "406", "429", "503");
  private static final List<String> OF_CHANGES = List.of("409", "412", "413", "415", "422", "428");

  @Bean
  OpenAPI document() {
    return new OpenAPI()
        .info(
            new Info()
                .title("Leasehold")
                .version("v1")
                .description(
                    "Leases GPUs inside a company. Enumerations in answers may get new values:"
                        + " treat an unknown one as itself. Absent means absent; there is no null.")
                .license(new License().name("Apache-2.0").identifier("Apache-2.0")))
        .servers(List.of(new Server().url("/")))
        .components(
            new Components()
                .addSecuritySchemes(
                    "bearer",
                    new SecurityScheme()
                        .type(SecurityScheme.Type.HTTP)
                        .scheme("bearer")
                        .description("An API key (lh_live_...) or an OIDC token.")))
        .security(List.of(new SecurityRequirement().addList("bearer")));
  }

  @Bean
  GlobalOpenApiCustomizer problemResponses() {
    return document -> {
      addProblemSchemas(document);
      if (document.getPaths() != null) {
        document
            .getPaths()
            .values()
            .forEach(
                path ->
                    path.readOperationsMap()
                        .forEach(
                            (method, operation) ->
                                addProblems(operation, !method.name().equals("GET"))));
      }
    };
  }

  private static void addProblemSchemas(OpenAPI document) {
    ResolvedSchema problem =
        ModelConverters.getInstance(true)
            .resolveAsResolvedSchema(new AnnotatedType(ProblemBody.class).resolveAsRef(false));
    problem.schema.setAdditionalProperties(true);
    document.getComponents().addSchemas("Problem", problem.schema);
    problem.referencedSchemas.forEach(document.getComponents()::addSchemas);
    PROBLEMS.forEach(
        (status, when) ->
            document
                .getComponents()
                .addResponses(
                    "Problem" + status,
                    new ApiResponse()
                        .description(when)
                        .content(
                            new Content()
                                .addMediaType(
                                    "application/problem+json",
                                    new MediaType()
                                        .schema(
                                            new Schema<>()
                                                .$ref("#/components/schemas/Problem"))))));
  }

  private static void addProblems(Operation operation, boolean changes) {
    ApiResponses responses = operation.getResponses();
    OF_ALL.forEach(status -> addProblem(responses, status));
    if (changes) {
      OF_CHANGES.forEach(status -> addProblem(responses, status));
    }
  }

  private static void addProblem(ApiResponses responses, String status) {
    responses.computeIfAbsent(
        status, s -> new ApiResponse().$ref("#/components/responses/Problem" + s));
  }

  @Bean
  OperationCustomizer sharedParameters() {
    return (operation, method) -> {
      if (takes(method, PageRequest.class)) {
        operation.addParametersItem(pageSize());
        operation.addParametersItem(pageToken());
      }
      if (takes(method, IdempotencyKey.class)) {
        operation.addParametersItem(idempotencyKey());
      }
      return operation;
    };
  }

  private static boolean takes(HandlerMethod method, Class<?> type) {
    return Arrays.asList(method.getMethod().getParameterTypes()).contains(type);
  }

  private static Parameter pageSize() {
    Schema<?> schema =
        new IntegerSchema()
            .format("int64")
            ._default(PageRequest.USUAL)
            .minimum(BigDecimal.ONE)
            .maximum(BigDecimal.valueOf(PageRequest.LARGEST));
    return new Parameter()
        .in("query")
        .name("pageSize")
        .description("Items per page; above 200 is taken as 200.")
        .schema(schema);
  }

  private static Parameter pageToken() {
    return new Parameter()
        .in("query")
        .name("pageToken")
        .description("nextPageToken of the page before, with the same filters.")
        .schema(new StringSchema());
  }

  private static Parameter idempotencyKey() {
    return new Parameter()
        .in("header")
        .name(IdempotencyKeys.HEADER)
        .description("Makes a retry safe: one key, one effect; kept 48 h. A UUID is a good one.")
        .schema(new StringSchema().minLength(1).maxLength(255));
  }

  @Bean
  PropertyCustomizer extensibleEnums() {
    return (schema, type) -> {
      ExtensibleEnum open = annotation(type, ExtensibleEnum.class);
      if (open == null || schema == null) {
        return schema;
      }
      Schema<?> text = new StringSchema();
      text.setDescription(schema.getDescription());
      if (schema.getExample() != null) {
        text.setExample(schema.getExample()); // A null would be an example too.
      }
      text.addExtension("x-extensible-enum", values(open));
      return text;
    };
  }

  static List<String> values(ExtensibleEnum open) {
    return open.of() == ExtensibleEnum.None.class
        ? List.of(open.value())
        : Arrays.stream(open.of().getEnumConstants()).map(Enum::name).toList();
  }

  private static <A extends Annotation> A annotation(AnnotatedType type, Class<A> wanted) {
    if (type.getCtxAnnotations() != null) {
      for (Annotation annotation : type.getCtxAnnotations()) {
        if (wanted.isInstance(annotation)) {
          return wanted.cast(annotation);
        }
      }
    }
    return null;
  }
}
