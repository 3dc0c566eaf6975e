<#-- What search looks through: title, headings and text of every page. A script, since a page from the file system may load no JSON. -->
const pages = [
<#list pages?sort_by("uri") as page>
<#assign headings = page.body?matches('<h1>.*?</a></h1>', 's')>
<#assign title = page.uri>
<#list headings as heading><#assign title = heading?replace('<[^>]*>', '', 'r')><#break></#list>
{path: "${page.uri?js_string}", title: "${title?js_string}", text: "${page.body?replace('<[^>]*>', ' ', 'r')?replace('\\s+', ' ', 'r')?js_string}"}<#sep>,</#sep>
</#list>
];
